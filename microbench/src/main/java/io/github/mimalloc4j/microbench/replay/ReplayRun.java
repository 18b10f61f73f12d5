package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.jvm.Sampler;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import io.netty.buffer.ByteBufAllocator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays a trace with an allocator, or without one, in a JVM of its own: again and again until the
 * code is compiled, then as fast as it can, then its beginning at the recorded pace.
 *
 * @param subject the name of an allocator, or {@link #NO_ALLOCATOR}
 * @param trace the file's name
 * @param warmUpMillis for how long at least passes are not measured
 * @param fastMillis for how long at least passes are measured
 * @param pacedMillis how much of the recording is replayed at its pace
 */
record ReplayRun(String subject, String trace, long warmUpMillis, long fastMillis, long pacedMillis)
    implements MeasuringJvm.Request<ReplayRun.Measured> {
  /** The same run without allocations. */
  static final String NO_ALLOCATOR = "FLOOR";

  private static final Duration SAMPLING = Duration.ofMillis(20);

  private static final long PACED_WARM_UP_MILLIS = 1_000;

  /** Each operation's columns take 29 bytes, and the file's about 8 while they are loaded. */
  private static final int BYTES_PER_OPERATION = 48;

  private static final long JAVA_HEAP = 160 << 20;

  /** A collector needs room; what lives in the Java heap may be used up several times. */
  private static final int HEAP_BUFFERS_FACTOR = 4;

  /** What an allocator may hold of the Java heap for a thread with few heap buffers. */
  private static final long HEAP_OF_A_LANE = 16 << 20;

  /**
   * What passes took.
   *
   * @param allocations of buffers, without those that were live before the recording
   * @param releases until the measurement ended
   * @param cpuNanos of a processor. As fast as it goes: of all Java threads, upkeep included, but
   *     not their waiting for each other. At the recorded pace: of the operations alone, for there
   *     threads wait most of the time, and what that takes would hide everything else. So it is
   *     both ways where threads are virtual, and theirs is the time of the clock, for no JVM tells
   *     that of the processor
   * @param javaBytes of objects that these threads made
   */
  record Figures(long allocations, long releases, long cpuNanos, long javaBytes) {
    Figures plus(Figures other) {
      return new Figures(
          allocations + other.allocations,
          releases + other.releases,
          cpuNanos + other.cpuNanos,
          javaBytes + other.javaBytes);
    }

    /** An allocation and a release make a buffer, be it the same one or not. */
    double buffers() {
      return (allocations + releases) / 2.0;
    }
  }

  /** The figures of both ways, and the memory, in the order of time. */
  record Measured(
      Figures fast,
      List<MemorySample> fastSamples,
      Figures paced,
      List<MemorySample> pacedSamples) {}

  /**
   * The JVM's flags. The heap is as large as the trace needs, and all of it is resident from the
   * start: what comes and goes is then the buffers' memory. Leak detection is at its default, as in
   * production.
   */
  static List<String> flags(TraceSummary summary) {
    long heapBuffers = summary.counts().peakHeapBytes();
    long bytes =
        JAVA_HEAP
            + BYTES_PER_OPERATION * summary.operations()
            + (heapBuffers > 0 ? HEAP_OF_A_LANE * summary.lanes().size() : 0)
            + HEAP_BUFFERS_FACTOR * heapBuffers;
    long mib = bytes >> 20;
    return List.of(
        ForkOptions.GC,
        "-Xms" + mib + "m",
        "-Xmx" + mib + "m",
        ForkOptions.HEAP_TOUCHED,
        "-XX:MaxDirectMemorySize=16g");
  }

  /** In this JVM. Tells the name of each part when it begins. */
  @Override
  public Measured measure(Consumer<String> begun) throws Exception {
    begun.accept("loading");
    Program program = Program.load(Path.of(trace));
    if (subject.equals(NO_ALLOCATOR)) {
      return measure(program, Work.Pretending::new, () -> null, begun);
    }
    AllocatorSource source = AllocatorSource.named(subject);
    ByteBufAllocator allocator = source.create();
    Measured measured =
        measure(
            program,
            () -> new Work.Allocating(allocator),
            () -> source.usedBytes(allocator),
            begun);
    source.requireAllReleased(allocator, subject);
    return measured;
  }

  private Measured measure(
      Program program, Supplier<Work> work, Supplier<@Nullable Long> used, Consumer<String> begun)
      throws Exception {
    Sampler.Source<MemorySample> memory =
        micros -> new MemorySample(micros, used.get(), ResidentMemory.besideJavaHeap());
    try (Sampler<MemorySample> sampler = new Sampler<>(SAMPLING, memory);
        Players players = new Players(program, work)) {
      Set<Long> others = Set.of(sampler.threadId(), Thread.currentThread().getId());
      begun.accept("warming up");
      playFast(players, warmUpMillis, others);
      begun.accept("at full speed");
      sampler.take(); // the warm-up's
      Figures fast = playFast(players, fastMillis, others);
      List<MemorySample> fastSamples = sampler.take();
      begun.accept("at the recorded pace");
      playPaced(players, pacedWarmUpMillis(pacedMillis), others);
      sampler.take();
      Figures paced = playPaced(players, pacedMillis, others);
      return new Measured(fast, fastSamples, paced, sampler.take());
    }
  }

  /**
   * Returns how much of the recording is replayed at its pace before that is measured: what was
   * compiled at full speed is not quite what the pace needs.
   */
  static long pacedWarmUpMillis(long pacedMillis) {
    return Math.min(pacedMillis, PACED_WARM_UP_MILLIS);
  }

  private static Figures playPaced(Players players, long millis, Set<Long> others)
      throws Exception {
    return players.playAtRecordedPace(TimeUnit.MILLISECONDS.toNanos(millis), others);
  }

  private static Figures playFast(Players players, long millis, Set<Long> others) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Figures all = players.playFast(others);
    while (System.nanoTime() < end) {
      all = all.plus(players.playFast(others));
    }
    return all;
  }
}
