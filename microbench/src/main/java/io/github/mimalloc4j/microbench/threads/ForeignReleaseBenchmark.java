package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Queues;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Threads that replace random buffers of their own, a share of which they leave to the next thread
 * of a ring, which releases them: after the random mode of rptest in mimalloc-bench.
 *
 * <p>A thread waits only while the next one has many to release: one that released them itself
 * would change the share.
 */
@Threads(2)
public class ForeignReleaseBenchmark extends AllocatorBenchmark {
  private static final int STEPS = 1 << 18;
  private static final int STEP_MASK = STEPS - 1;
  private static final int MAX_LIVE = 1 << 15;

  /** In a slot of the script: this buffer goes to another thread. */
  private static final int FOREIGN = 1 << 15;

  /** What each thread leaves to the next one. */
  @State(Scope.Benchmark)
  public static class Ring {
    private static final int CAPACITY = 1 << 8;

    private List<Queue<ByteBuf>> queues;

    @Setup
    public void create(ThreadParams any) {
      int count = any.getThreadCount();
      if (count < 2) {
        throw new IllegalArgumentException("a foreign release takes two threads: -t 2 or more");
      }
      queues = Stream.generate(() -> Queues.<ByteBuf>bounded(CAPACITY)).limit(count).toList();
    }
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
  private Queue<ByteBuf> mine;
  private Queue<ByteBuf> others;
  private int step;

  @Setup
  public void setUp(MeasuredAllocator allocator, Ring ring, ThreadParams thread) {
    if (live < 1 || live > MAX_LIVE) {
      throw new IllegalArgumentException("live must be from 1 to " + MAX_LIVE + ", not " + live);
    }
    if (foreignPercent < 0 || foreignPercent > 100) {
      throw new IllegalArgumentException("foreignPercent must be from 0 to 100");
    }
    SizePattern pattern = SizePattern.of(sizes);
    allocator.requireRoom((live + Ring.CAPACITY) * pattern.mean());
    drawnSizes = pattern.draw(STEPS, 0x5EED_0031L);
    Random random = new Random(0x5EED_0032L);
    for (int i = 0; i < STEPS; i++) {
      boolean foreign = random.nextInt(100) < foreignPercent;
      slots[i] = (char) (random.nextInt(live) | (foreign ? FOREIGN : 0));
    }
    // Every thread has the same script. They must not go through it side by side.
    int index = thread.getThreadIndex();
    step = index * (STEPS / 16 + 1);
    mine = ring.queues.get(index);
    others = ring.queues.get((index + 1) % ring.queues.size());
    buffers = new ByteBuf[live];
    Control alone = new Control();
    alone.stopMeasurement = true; // nobody may be there yet
    start(allocator, 1 << 16, () -> replaceRandomSlot(alone));
  }

  /** Releases the buffer of a random slot, or has it released, and allocates another. */
  @Benchmark
  public ByteBuf replaceRandomSlot(Control control) {
    int now = step++ & STEP_MASK;
    int slot = slots[now];
    int size = drawnSizes[now];
    ByteBuf[] all = buffers;
    if (slot >= FOREIGN) {
      slot -= FOREIGN;
      leave(all[slot], control);
      releaseForeign();
      releaseForeign(); // a second one, or a thread that fell behind would never catch up
    } else {
      BufferCalls.release(all[slot]);
    }
    ByteBuf buffer = calls().allocate(size);
    all[slot] = buffer;
    touch.write(buffer, size);
    return buffer;
  }

  private void leave(ByteBuf buffer, Control control) {
    int waits = 0;
    while (!mine.offer(buffer)) {
      if (control.stopMeasurement) { // nobody may be there any more
        BufferCalls.release(buffer);
        return;
      }
      releaseForeign(); // all threads may wait for each other
      Queues.await(waits++);
    }
  }

  private void releaseForeign() {
    ByteBuf buffer = others.poll();
    if (buffer != null) {
      BufferCalls.release(buffer);
    }
  }

  @Override
  protected final void begin() {
    calls().fill(buffers, drawnSizes);
  }

  @Override
  protected final void end() {
    super.end();
    ByteBuf left;
    while ((left = mine.poll()) != null) {
      BufferCalls.releaseLast(left);
    }
  }
}
