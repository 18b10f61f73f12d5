package io.github.mimalloc4j.microbench.application;

import static java.util.Objects.requireNonNullElse;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program: workloads with each allocator over all transports, with every buffer watched for
 * leaks. When all requests are answered, the clients leave in the midst of others.
 *
 * <p>Prints a line for each of them, one for the default allocator, which clients and some codecs
 * use, and the leaks found.
 */
final class ParanoidApplications {
  /** The hint of a buffer that a server loses on purpose. */
  static final String LOST_BY_A_SERVER = "lost by a server";

  private static final Set<AllocatorKind> KINDS =
      EnumSet.complementOf(EnumSet.of(AllocatorKind.UNPOOLED));
  private static final List<Transport> TRANSPORTS =
      Stream.of(Transport.values()).filter(Transport::isAvailable).toList();
  private static final int CONNECTIONS = 3;
  private static final int EVENT_LOOPS = 2;
  private static final String CLIENTS = "clients over all transports: pinned ";

  private ParanoidApplications() {}

  public static void main(String[] args) throws Exception {
    LeakReports reports = LeakReports.install(LeakReports.LOST_LAST, LOST_BY_A_SERVER);
    if (!MiMalloc.install()) {
      throw new AssertionError("not installed");
    }
    for (AllocatorKind kind : KINDS) {
      for (Transport transport : TRANSPORTS) {
        for (Workload workload : Workloads.named(args[0])) {
          String result = run(kind, transport, workload);
          System.out.println(line(kind, transport, workload, result));
        }
      }
    }
    long ofClients = pinnedBytesAtRest(AllocatorKind.MIMALLOC, MiMallocByteBufAllocator.DEFAULT);
    System.out.println(CLIENTS + ofClients);
    loseOne();
    reports.print(AllocatorKind.MIMALLOC.create(), 2);
  }

  /** What it prints before the leaks if all is well. */
  static List<String> expected(String workloads) {
    List<String> lines = new ArrayList<>();
    for (AllocatorKind kind : KINDS) {
      for (Transport transport : TRANSPORTS) {
        for (Workload each : Workloads.named(workloads)) {
          int requests = CONNECTIONS * (ClosedLoop.someRequests(each) + 1);
          lines.add(line(kind, transport, each, result(requests, null, 0)));
        }
      }
    }
    lines.add(CLIENTS + 0);
    return lines;
  }

  private static String line(
      AllocatorKind kind, Transport transport, Workload workload, String result) {
    return "%s over %s with %s: %s"
        .formatted(workload.name(), transport.optionName(), kind.optionName(), result);
  }

  private static String result(int correct, @Nullable String error, long pinned) {
    return "%d correct, first error %s, pinned %d".formatted(correct, error, pinned);
  }

  private static String run(AllocatorKind kind, Transport transport, Workload workload)
      throws Exception {
    ByteBufAllocator allocator = kind.create();
    Environment environment = new Environment(allocator, transport, EVENT_LOOPS);
    int requests = ClosedLoop.someRequests(workload);
    ClosedLoop loop;
    long pinned = 0;
    try (Server server = workload.server().start(environment)) {
      loop = new ClosedLoop(workload, server.port(), CONNECTIONS);
      try (loop) {
        loop.run(requests);
        loop.leave(requests);
      }
      if (!workload.application().equals("broker")) { // which keeps messages
        // Before the event loops end: what they would release then was forgotten until then.
        pinned = pinnedBytesAtRest(kind, allocator);
      }
    }
    pinned += pinnedBytesAtRest(kind, allocator);
    return result(loop.correct(), loop.firstError(), pinned);
  }

  /**
   * Bytes of live buffers; 0 where the allocator does not tell. For a moment, what upkeep collects
   * is counted as in use, and not every event loop knows that its connections are closed.
   */
  private static long pinnedBytesAtRest(AllocatorKind kind, ByteBufAllocator allocator)
      throws InterruptedException {
    long pinned = pinnedBytes(kind, allocator);
    for (int i = 0; i < 200 && pinned > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(50);
      pinned = pinnedBytes(kind, allocator);
    }
    return pinned;
  }

  private static long pinnedBytes(AllocatorKind kind, ByteBufAllocator allocator) {
    long sum = 0;
    for (BufferKind buffers : BufferKind.values()) {
      sum += requireNonNullElse(kind.pinnedBytes(allocator, buffers), 0L);
    }
    return sum;
  }

  /** Loses a request, as the server of an exchange. */
  private static void loseOne() throws Exception {
    Environment environment = new Environment(AllocatorKind.MIMALLOC.create(), Transport.NIO, 1);
    try (Server server =
            ChannelServer.start(environment, channel -> channel.pipeline().addLast(new Loser()));
        ClosedLoop loop =
            new ClosedLoop(Workloads.named("plaintext:single").get(0), server.port(), 1)) {
      loop.run(1);
    }
  }

  private static final class Loser extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.touch(message, LOST_BY_A_SERVER);
      ctx.close();
    }
  }
}
