package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Takes samples of the memory every 20 ms, on a thread of its own. */
final class MemorySamples implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 20;

  /**
   * The memory at one moment, in bytes.
   *
   * @param micros since the sampling began
   * @param used what the allocator holds, by its own metric
   * @param resident what the process has in the machine's memory beside its Java heap; null where
   *     the system does not tell
   */
  record Sample(long micros, long used, @Nullable Long resident) {}

  private final LongSupplier used;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("replay-memory", true));

  // Guarded by this.
  private final List<Sample> samples = new ArrayList<>();
  private long start;

  MemorySamples(LongSupplier used) {
    this.used = used;
  }

  /** The number of the sampling thread. */
  long threadId() throws Exception {
    return thread.submit(() -> Thread.currentThread().getId()).get();
  }

  void begin() {
    start = System.nanoTime();
    thread.scheduleWithFixedDelay(this::sample, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void sample() {
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
    Long resident = ResidentMemory.besideJavaHeap();
    samples.add(new Sample(micros, used.getAsLong(), resident));
  }

  /** All up to now; the next ones begin a new list. */
  synchronized List<Sample> take() {
    sample();
    List<Sample> taken = List.copyOf(samples);
    samples.clear();
    start = System.nanoTime();
    return taken;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
