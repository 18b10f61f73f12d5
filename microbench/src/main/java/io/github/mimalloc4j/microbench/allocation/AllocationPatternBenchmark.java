package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The main comparison: of many live buffers a random one is released, and another is allocated in
 * its place, with the sizes of a WebSocket proxy or other ones.
 *
 * <p>Sizes and slots are drawn beforehand; a step reads them in order, so that the harness adds no
 * cache miss that depends on data. They come from fixed seeds: every allocator and every fork does
 * the same work. With more threads than one, each has live buffers of its own.
 */
public class AllocationPatternBenchmark extends AllocatorBenchmark {
  /** Steps before the script repeats: far more than a branch predictor or a cache remembers. */
  private static final int STEPS = 1 << 18;

  private static final int STEP_MASK = STEPS - 1;

  private static final int STEPS_PER_SAMPLE = 64;

  /** How many buffers are live: 128, 1024, 8192 and 65536 are the usual choices. */
  @Param("8192")
  public int live;

  @Param("WEBSOCKET_PROXY")
  public String sizes;

  @Param("NONE")
  public Touch touch;

  private char[] slots;
  private int[] drawnSizes;
  private int step;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    slots = drawSlots(STEPS, live, 0x5EED_0002L);
    SizePattern pattern = SizePattern.of(sizes);
    allocator.requireRoom(live * pattern.mean());
    drawnSizes = pattern.draw(STEPS, 0x5EED_0001L);
    buffers = new ByteBuf[live];
    start(allocator, STEPS, this::replaceRandomSlot);
  }

  @Benchmark
  public ByteBuf replaceRandomSlot() {
    int now = step++ & STEP_MASK;
    int slot = slots[now];
    int size = drawnSizes[now];
    ByteBuf[] all = buffers;
    BufferCalls.release(all[slot]);
    ByteBuf buffer = calls().allocate(size);
    all[slot] = buffer;
    touch.write(buffer, size);
    return buffer;
  }

  @Override
  protected final void begin() {
    calls().fill(buffers, drawnSizes);
    step = live;
  }

  /** Goes through the script once, watching the memory more closely than a timed run could. */
  @Override
  protected final void settle(int steps, Runnable replace) {
    long liveBytes = liveBytes();
    for (int i = 0; i < steps; i++) {
      int now = step & STEP_MASK;
      liveBytes += drawnSizes[now] - buffers[slots[now]].capacity();
      replace.run();
      if (i % STEPS_PER_SAMPLE == 0) {
        sampleMemory(liveBytes);
      }
    }
  }
}
