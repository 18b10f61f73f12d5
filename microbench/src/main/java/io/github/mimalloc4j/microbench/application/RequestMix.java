package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.application.Http1Client.Exchange;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An {@link HttpServer} with small and large requests mixed. The requests of a load are the same
 * for all allocators and in all runs.
 *
 * <p>One half are {@code GET /plaintext}, the other half {@code POST /echo} with bodies of the
 * sizes of an HTTP service: Pareto from 1 KiB with a shape of 1.2, cut at 4 MiB. The median is 1.8
 * KiB, the mean about 5 KiB. They are the bodies in the data file of {@code HTTP_SERVICE}; that
 * pattern as a whole has the sizes of all buffers of a service, which the server under load makes
 * for itself: heads, read buffers and TLS records.
 */
final class RequestMix {
  /** The size that says that a request has no body: it is {@code GET /plaintext}. */
  static final int NO_BODY = Wrk.GET;

  static final int LARGEST = 4 << 20;
  static final int SMALLEST = 1 << 10;

  /** The requests before the first comes again: enough for bodies above 1 MiB. */
  private static final int COUNT = 1 << 14;

  /** The sizes of the bodies, as {@link SizePattern#of} reads them. */
  static final String BODIES = "pareto " + SMALLEST + " 1.2 " + LARGEST;

  /** With this one, two bodies are above 1 MiB: as many as are to be expected. */
  private static final int BODY_SEED = 7;

  private static final int CHOICE_SEED = 15;

  /** Of all bodies: each is a part of it, so that answers to different requests differ. */
  private static final int PATTERN_BYTES = 2 * LARGEST;

  private static final int PATTERN_SEED = 1;

  /** A step through the pattern, so that neighbouring bodies differ from their first byte on. */
  private static final int OFFSET_STEP = 7919;

  private static final ByteBuf PATTERN = pattern();

  private static final Exchange HELLO =
      new Exchange(
          "/plaintext", null, Unpooled.copiedBuffer("Hello, World!", StandardCharsets.US_ASCII));

  /** The fractions of its multiples are spread evenly over 0 to 1, however many there are. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private RequestMix() {}

  static List<Workload> workloads() {
    return List.of(workload("mix", false), workload("mix-tls", true));
  }

  private static Workload workload(String variant, boolean tls) {
    return new Workload(
        "http",
        variant,
        "half GET, half POST with echoed bodies of 1 KiB to 4 MiB" + (tls ? ", over TLS" : ""),
        environment -> HttpServer.start(environment, tls),
        connector(tls),
        1,
        new Wrk(tls ? "https" : "http", "/plaintext", draw()));
  }

  static int[] draw() {
    int[] sizes = SizePattern.of(BODIES).draw(COUNT, BODY_SEED);
    Random random = new Random(CHOICE_SEED);
    for (int i = 0; i < COUNT; i++) {
      if (random.nextBoolean()) {
        sizes[i] = NO_BODY;
      }
    }
    return sizes;
  }

  /**
   * Makes clients that send these requests, again and again.
   *
   * <p>Each of a load's connections begins elsewhere in the mix, or all would send their large
   * bodies at the same time; those of the next load begin where these began.
   */
  private static Connector connector(boolean tls) {
    int[] sizes = draw();
    AtomicInteger open = new AtomicInteger();
    return (loop, port) -> {
      int first = (int) (open.getAndIncrement() * GOLDEN % 1 * sizes.length);
      Supplier<Exchange> exchanges = exchanges(sizes, first);
      return Http1Client.connect(loop, port, tls, exchanges, open::decrementAndGet);
    };
  }

  private static Supplier<Exchange> exchanges(int[] sizes, int first) {
    int[] sent = {0};
    return () -> {
      int number = sent[0]++;
      int size = sizes[(first + number) % sizes.length];
      return size == NO_BODY ? HELLO : echo(number, size);
    };
  }

  private static Exchange echo(int number, int size) {
    int offset = (int) ((long) number * OFFSET_STEP % (PATTERN_BYTES - size + 1));
    ByteBuf body = PATTERN.slice(offset, size);
    return new Exchange("/echo", body, body);
  }

  private static ByteBuf pattern() {
    byte[] bytes = new byte[PATTERN_BYTES];
    new Random(PATTERN_SEED).nextBytes(bytes);
    return ByteClient.constant(bytes);
  }
}
