package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * Of many live buffers a random one is released and another allocated in its place, with the sizes
 * of a WebSocket proxy; the time of each release and of each allocation is recorded. Sizes and
 * slots are drawn beforehand, from fixed seeds.
 *
 * <p>To be used on one event-loop thread.
 */
final class LatencyRun {
  static final int LIVE = 8192;

  private static final int STEPS = 1 << 18;
  private static final int STEP_MASK = STEPS - 1;
  private static final long SIZE_SEED = 0x5EED_0001L;
  private static final long SLOT_SEED = 0x5EED_0002L;

  /** Enough for the code of every allocator to be compiled and for the memory to be in use. */
  private static final int WARMUP = 1_000_000;

  /** The subject that is no allocator: the run without allocations. */
  static final String NO_ALLOCATOR = "FLOOR";

  /** As in the benchmarks; the limit of direct memory is far above all needs. */
  static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          ForkOptions.HEAP_MIN,
          ForkOptions.HEAP_MAX,
          ForkOptions.HEAP_TOUCHED,
          "-XX:MaxDirectMemorySize=4g",
          ForkOptions.NO_LEAK_DETECTION);

  /** Asks for so many allocations, and as many releases, of an allocator or the floor. */
  record Request(String subject, long operations) implements MeasuringJvm.Request<RoundResult> {
    /** On an event loop. */
    @Override
    public RoundResult measure(Consumer<String> begun) throws Exception {
      ExecutorService loop = ThreadKind.NIO_EVENT_LOOP.newExecutor(1);
      try {
        return loop.submit(() -> new LatencyRun(subject).measure(operations)).get();
      } finally {
        ThreadKind.close(loop);
      }
    }
  }

  private final char[] sizes = new char[STEPS];
  private final char[] slots = new char[STEPS];
  private final ByteBuf[] buffers = new ByteBuf[LIVE];
  private final String subject;
  private final Histogram allocate = RoundResult.histogram();
  private final Histogram release = RoundResult.histogram();
  private int step;

  private LatencyRun(String subject) {
    this.subject = subject;
    int[] drawn = SizePattern.of("WEBSOCKET_PROXY").draw(STEPS, SIZE_SEED);
    Random random = new Random(SLOT_SEED);
    for (int i = 0; i < STEPS; i++) {
      sizes[i] = (char) drawn[i];
      slots[i] = (char) random.nextInt(LIVE);
    }
  }

  private RoundResult measure(long operations) {
    boolean floor = subject.equals(NO_ALLOCATOR);
    ByteBufAllocator alloc =
        floor ? Unpooled.EMPTY_BUFFER.alloc() : AllocatorSource.named(subject).create();
    for (int i = 0; i < LIVE; i++) {
      buffers[i] = floor ? Unpooled.EMPTY_BUFFER : alloc.directBuffer(sizes[i]);
    }
    step = LIVE;
    LongConsumer steps = floor ? this::emptySteps : count -> realSteps(alloc, count);
    steps.accept(WARMUP);
    allocate.reset();
    release.reset();
    long collections = collections();
    steps.accept(operations);
    collections = collections() - collections;
    for (ByteBuf buffer : buffers) {
      buffer.release();
    }
    return new RoundResult(allocate, release, collections);
  }

  private void realSteps(ByteBufAllocator alloc, long count) {
    for (long i = 0; i < count; i++) {
      int now = step++ & STEP_MASK;
      int slot = slots[now];
      int size = sizes[now];
      ByteBuf old = buffers[slot];
      long begin = System.nanoTime();
      old.release();
      long between = System.nanoTime();
      ByteBuf buffer = alloc.directBuffer(size);
      long end = System.nanoTime();
      buffers[slot] = buffer;
      release.recordValue(between - begin);
      allocate.recordValue(end - between);
    }
  }

  /** The same without the two calls. */
  private void emptySteps(long count) {
    for (long i = 0; i < count; i++) {
      int now = step++ & STEP_MASK;
      int slot = slots[now];
      ByteBuf old = buffers[slot];
      long begin = System.nanoTime();
      long between = System.nanoTime();
      long end = System.nanoTime();
      buffers[slot] = old;
      release.recordValue(between - begin);
      allocate.recordValue(end - between);
    }
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }
}
