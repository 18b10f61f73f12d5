package io.github.mimalloc4j.microbench;

import io.netty.buffer.ByteBuf;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The main comparison: of many live buffers a random one is released, and another is allocated in
 * its place, with the sizes of a WebSocket proxy.
 *
 * <p>Sizes and slots are drawn beforehand; a step reads them in order, so that the harness adds no
 * cache miss that depends on data. They come from fixed seeds: every allocator and every fork does
 * the same work.
 */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls setUp().
public class AllocationPatternBenchmark extends AllocatorBenchmark {
  /** Steps before the script repeats: far more than a branch predictor or a cache remembers. */
  private static final int STEPS = 1 << 18;

  private static final int STEP_MASK = STEPS - 1;

  /** Slots are kept as {@code char}s. */
  private static final int MAX_LIVE = 1 << 16;

  private static final int STEPS_PER_SAMPLE = 64;
  private static final int POLLUTING_STEPS = 100_000;
  private static final long SIZE_SEED = 0x5EED_0001L;
  private static final long SLOT_SEED = 0x5EED_0002L;

  /** How many buffers are live: 128, 1024, 8192 and 65536 are the usual choices. */
  @Param("8192")
  public int live;

  /** Whether the first and the last byte of each new buffer are written. */
  @Param("false")
  public boolean touch;

  /** Whether another allocator went through the same code before. */
  @Param("false")
  public boolean polluted;

  private final char[] sizes = new char[STEPS];
  private final char[] slots = new char[STEPS];
  private ByteBuf[] buffers;
  private int step;

  /** Made by JMH. */
  public AllocationPatternBenchmark() {}

  /** Draws the script, makes the allocator and brings it to its steady state. */
  @Setup
  public void setUp() {
    if (live < 1 || live > MAX_LIVE) {
      throw new IllegalArgumentException("live must be from 1 to " + MAX_LIVE + ", not " + live);
    }
    buffers = new ByteBuf[live];
    drawScript();
    if (polluted) {
      pollute();
    }
    use(allocator);
    fill();
    settle();
  }

  private void drawScript() {
    int[] drawn = SizePattern.webSocketProxy().draw(STEPS, SIZE_SEED);
    Random random = new Random(SLOT_SEED);
    for (int i = 0; i < STEPS; i++) {
      sizes[i] = (char) drawn[i];
      slots[i] = (char) random.nextInt(live);
    }
  }

  /** Lets the compiler see a second class of allocator, and of buffers, in the measured code. */
  private void pollute() {
    use(allocator == AllocatorKind.POOLED ? AllocatorKind.ADAPTIVE : AllocatorKind.POOLED);
    fill();
    for (int i = 0; i < POLLUTING_STEPS; i++) {
      replaceRandomSlot();
    }
    releaseAll();
  }

  private void fill() {
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = allocate(sizes[i & STEP_MASK]);
    }
    step = buffers.length;
  }

  /**
   * Goes through the script once, watching the memory more closely than a timed run could. This is
   * also a warm-up that does not get shorter when the machine is busy.
   */
  private void settle() {
    long liveBytes = liveBytes();
    for (int i = 0; i < STEPS; i++) {
      liveBytes += sizes[step & STEP_MASK] - buffers[slots[step & STEP_MASK]].capacity();
      replaceRandomSlot();
      if (i % STEPS_PER_SAMPLE == 0) {
        sampleMemory(liveBytes);
      }
    }
  }

  /** Releases the buffer of a random slot and puts a new one in its place. */
  @Benchmark
  public ByteBuf replaceRandomSlot() {
    int now = step++ & STEP_MASK;
    int slot = slots[now];
    int size = sizes[now];
    ByteBuf[] all = buffers;
    all[slot].release();
    ByteBuf buffer = allocate(size);
    all[slot] = buffer;
    if (touch) {
      buffer.setByte(0, now);
      buffer.setByte(size - 1, now);
    }
    return buffer;
  }

  /** Releases all buffers. */
  @TearDown
  public void releaseAll() {
    for (int i = 0; i < buffers.length; i++) {
      if (!buffers[i].release()) {
        throw new IllegalStateException("buffer " + i + " has another owner: " + buffers[i]);
      }
    }
  }

  @Override
  long liveBytes() {
    long sum = 0;
    for (ByteBuf buffer : buffers) {
      sum += buffer.capacity();
    }
    return sum;
  }
}
