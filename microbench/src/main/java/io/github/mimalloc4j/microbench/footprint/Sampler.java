package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes samples: every 50 ms on a thread of its own, at the borders of phases, and when it is told
 * to. It makes no buffers, and keeps the samples in the Java heap until the run is over.
 */
final class Sampler implements AutoCloseable {
  private static final int INTERVAL_MILLIS = 50;

  private final LongSupplier used;
  private final LongSupplier live;
  private final long start = System.nanoTime();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          new DefaultThreadFactory("footprint-sampler", true));
  private final Future<?> ticks;

  // Guarded by this.
  private final List<Sample> samples = new ArrayList<>();
  private @Nullable Phase phase;

  /** Starts without a phase, that is: without samples. */
  Sampler(LongSupplier used, LongSupplier live) {
    this.used = used;
    this.live = live;
    this.ticks =
        thread.scheduleWithFixedDelay(
            this::sample, INTERVAL_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Begins a phase; the one before ends with what it leaves now. */
  synchronized void begin(Phase next) {
    sample();
    phase = next;
    sample();
  }

  synchronized List<Sample> end() throws Exception {
    if (ticks.isDone()) {
      ticks.get(); // Throws what stopped the thread.
    }
    sample();
    phase = null;
    return List.copyOf(samples);
  }

  synchronized void sample() {
    if (phase != null) {
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
      long liveNow = live.getAsLong();
      Long resident = ResidentMemory.besideJavaHeap();
      samples.add(new Sample(micros, phase, used.getAsLong(), liveNow, resident));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
