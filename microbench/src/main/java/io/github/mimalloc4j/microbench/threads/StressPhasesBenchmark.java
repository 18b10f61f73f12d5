package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Workers;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Work in phases, each by new threads: they allocate more than they release, keep some until the
 * end of the phase, exchange some with each other, release what they have and end. Half of what is
 * left between the threads is released before the next phase. After mstress of mimalloc-bench.
 *
 * <p>An operation is one step of each of the threads, which run side by side: an allocation, a
 * release or an exchange. Starting and ending the threads is part of it. Nothing is written to the
 * buffers.
 */
public class StressPhasesBenchmark extends AllocatorBenchmark {
  private static final int STEPS = 1 << 15;

  private static final int STEP_MASK = STEPS - 1;
  private static final int PLACES = 1 << 10;

  private static final int RELEASE_PERCENT = 35;
  private static final int EXCHANGE_PERCENT = 15;
  private static final int RETAIN_PERCENT = 10;

  private enum Action {
    ALLOCATE,
    ALLOCATE_AND_RETAIN,
    RELEASE,
    EXCHANGE
  }

  @Param("2")
  public int workers;

  @Param("EVENT_LOOP")
  public Workers threads;

  @Param("MIXED")
  public String sizes;

  private final AtomicReferenceArray<ByteBuf> places = new AtomicReferenceArray<>(PLACES);
  private final Action[] actions = new Action[STEPS];
  private final char[] choices = new char[STEPS];
  private int[] drawnSizes;
  private List<Worker> phase;
  private int phases;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    SizePattern pattern = SizePattern.of(sizes);
    allocator.requireRoom(pattern.mean() * STEPS / 4 * workers);
    drawnSizes = pattern.draw(STEPS, 0x5EED_0061L);
    Random random = new Random(0x5EED_0062L);
    for (int i = 0; i < STEPS; i++) {
      actions[i] = draw(random.nextInt(100));
      choices[i] = (char) random.nextInt(PLACES);
    }
    start(allocator, 4, this::phase);
  }

  private static Action draw(int percent) {
    if (percent < RELEASE_PERCENT) {
      return Action.RELEASE;
    } else if (percent < RELEASE_PERCENT + EXCHANGE_PERCENT) {
      return Action.EXCHANGE;
    } else if (percent < RELEASE_PERCENT + EXCHANGE_PERCENT + RETAIN_PERCENT) {
      return Action.ALLOCATE_AND_RETAIN;
    } else {
      return Action.ALLOCATE;
    }
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public void phase() {
    threads.runAll(phase);
    phases++;
    for (int i = phases & 1; i < PLACES; i += 2) {
      releaseFrom(i);
    }
  }

  private void releaseFrom(int place) {
    ByteBuf left = places.getAndSet(place, null);
    if (left != null) {
      BufferCalls.release(left);
    }
  }

  /** One thread's share of a phase; the same object phase after phase. */
  private final class Worker implements Runnable {
    private final ByteBuf[] held = new ByteBuf[STEPS];
    private final ByteBuf[] retained = new ByteBuf[STEPS];
    private final BufferCalls calls = calls();
    private int heldCount;
    private int retainedCount;
    private int step;

    /** Begins at another place of the script than the other threads. */
    Worker(int worker) {
      step = worker * (STEPS / 16 + 1);
    }

    @Override
    public void run() {
      for (int i = 0; i < STEPS; i++) {
        int now = step++ & STEP_MASK;
        switch (actions[now]) {
          case ALLOCATE -> held[heldCount++] = calls.allocate(drawnSizes[now]);
          case ALLOCATE_AND_RETAIN -> retained[retainedCount++] = calls.allocate(drawnSizes[now]);
          case RELEASE -> releaseOne(choices[now]);
          case EXCHANGE -> exchangeOne(choices[now]);
        }
      }
      step += STEPS / 2 + 1; // so that the phases differ
      releaseAll();
    }

    private void releaseOne(int choice) {
      if (heldCount > 0) {
        int index = indexOf(choice);
        BufferCalls.release(held[index]);
        held[index] = held[--heldCount];
      }
    }

    private void exchangeOne(int choice) {
      if (heldCount > 0) {
        int index = indexOf(choice);
        ByteBuf other = places.getAndSet(choice, held[index]);
        held[index] = other != null ? other : held[--heldCount];
      }
    }

    private int indexOf(int choice) {
      return (int) ((long) choice * heldCount / PLACES);
    }

    private void releaseAll() {
      while (retainedCount > 0) {
        BufferCalls.release(retained[--retainedCount]);
      }
      while (heldCount > 0) {
        BufferCalls.release(held[--heldCount]);
      }
    }
  }

  @Override
  protected final void begin() {
    phase = IntStream.range(0, workers).mapToObj(Worker::new).toList();
  }

  @Override
  protected final void end() {
    for (int i = 0; i < PLACES; i++) {
      releaseFrom(i);
    }
  }

  @Override
  protected final long liveBytes() {
    long sum = 0;
    for (int i = 0; i < PLACES; i++) {
      ByteBuf buffer = places.get(i);
      sum += buffer == null ? 0 : buffer.capacity();
    }
    return sum;
  }
}
