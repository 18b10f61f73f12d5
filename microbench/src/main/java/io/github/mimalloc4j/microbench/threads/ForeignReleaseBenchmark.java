package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * Threads that replace random buffers of their own, a share of which they exchange for one that
 * another thread left: after the random mode of rptest in mimalloc-bench.
 *
 * <p>All threads allocate as much as they release, and nobody waits for anybody.
 */
@Threads(2)
public class ForeignReleaseBenchmark extends AllocatorBenchmark {
  private static final int STEPS = 1 << 18;
  private static final int STEP_MASK = STEPS - 1;
  private static final int MAX_LIVE = 1 << 15;

  /** In a slot of the script: this buffer goes to another thread. */
  private static final int FOREIGN = 1 << 15;

  /** Where threads leave buffers for each other. */
  @State(Scope.Benchmark)
  public static class Exchange {
    private static final int PLACES = 1 << 8;

    private final AtomicReferenceArray<ByteBuf> places = new AtomicReferenceArray<>(PLACES);
  }

  @Param("1024")
  public int live;

  @Param("MIXED")
  public String sizes;

  /** Which share of the buffers is released by another thread than allocated them. */
  @Param("25")
  public int foreignPercent;

  @Param("NONE")
  public Touch touch;

  private final char[] slots = new char[STEPS];
  private int[] drawnSizes;
  private AtomicReferenceArray<ByteBuf> exchange;
  private int step;

  @Setup
  public void setUp(MeasuredAllocator allocator, Exchange shared) {
    if (live < 1 || live > MAX_LIVE) {
      throw new IllegalArgumentException("live must be from 1 to " + MAX_LIVE + ", not " + live);
    }
    if (foreignPercent < 0 || foreignPercent > 100) {
      throw new IllegalArgumentException("foreignPercent must be from 0 to 100");
    }
    SizePattern pattern = SizePattern.of(sizes);
    allocator.requireRoom(live * pattern.mean());
    drawnSizes = pattern.draw(STEPS, 0x5EED_0031L);
    Random random = new Random(0x5EED_0032L);
    for (int i = 0; i < STEPS; i++) {
      boolean foreign = random.nextInt(100) < foreignPercent;
      slots[i] = (char) (random.nextInt(live) | (foreign ? FOREIGN : 0));
    }
    // Every thread has the same script. They must not go through it side by side.
    step = (int) (Thread.currentThread().getId() * (STEPS / 16 + 1));
    exchange = shared.places;
    buffers = new ByteBuf[live];
    start(allocator, 1 << 16, this::replaceRandomSlot);
  }

  /** Releases the buffer of a random slot, or one left by another thread, and allocates one. */
  @Benchmark
  public ByteBuf replaceRandomSlot() {
    int now = step++ & STEP_MASK;
    int slot = slots[now];
    int size = drawnSizes[now];
    ByteBuf[] all = buffers;
    ByteBuf old;
    if (slot >= FOREIGN) {
      slot -= FOREIGN;
      old = exchange.getAndSet(slot & (Exchange.PLACES - 1), all[slot]);
    } else {
      old = all[slot];
    }
    if (old != null) { // else the first in its place
      BufferCalls.release(old);
    }
    ByteBuf buffer = calls().allocate(size);
    all[slot] = buffer;
    touch.write(buffer, size);
    return buffer;
  }

  @Override
  protected final void begin() {
    calls().fill(buffers, drawnSizes);
  }

  @Override
  protected final void end() {
    super.end();
    for (int i = 0; i < exchange.length(); i++) {
      ByteBuf left = exchange.getAndSet(i, null);
      if (left != null) {
        BufferCalls.releaseLast(left);
      }
    }
  }
}
