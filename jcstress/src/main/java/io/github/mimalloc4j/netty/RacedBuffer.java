package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.core.StatisticsReader;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.GuardedHeaps;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A buffer on the Java heap, in a heap that the first of the racing threads adopts. */
final class RacedBuffer {

  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = Slices.BYTES / BLOCK_BYTES;

  /** In blocks: a heap's second page of a bin is four times its first. */
  private static final int MORE_THAN_TWO_PAGES = 6 * BLOCKS;

  /** In reads of a field. */
  private static final int MOST_DELAY = 60;

  private static final int MOST_DELAY_OF_GROWTH = 8000;

  private static final Settings SETTINGS = settings(false);
  private static final Settings GUARDED = settings(true);
  private static final OutOfMemoryListener NOT_TOLD = (direct, asked, used, live, error) -> {};
  private static final UpkeepExecutor NO_UPKEEP = (task, delay) -> {};

  /** A field, for the logging framework forgets loggers and their levels. */
  private static final Logger LOGGER = Logger.getLogger(MiMallocByteBufAllocator.class.getName());

  static {
    LOGGER.setLevel(Level.OFF); // one race releases twice, and that is logged
  }

  private final ThreadHeaps heaps;
  private final boolean shared;
  private final MiMallocByteBuf buffer;
  private Heap<MiMallocByteBuf> heap;
  private volatile boolean hasOwner;
  private volatile boolean hasOther;

  /** A buffer as usual. */
  RacedBuffer(int references) {
    this(ThreadHeaps.of(MiMallocByteBufAllocator.DEFAULT, SETTINGS, NOT_TOLD, false), references);
  }

  /** A buffer of which each release is checked, and the last one erases its bytes. */
  static RacedBuffer guarded() {
    return new RacedBuffer(
        GuardedHeaps.of(
            MiMallocByteBufAllocator.DEFAULT,
            GUARDED,
            NOT_TOLD,
            (afterRelease, block, index, trace) -> {},
            null,
            false),
        1);
  }

  /**
   * A buffer with one reference, in a heap that threads share. Its page is exhausted and was asked
   * for, so that a deferred release collects it.
   */
  static RacedBuffer shared() {
    return new RacedBuffer(
        ThreadHeaps.of(MiMallocByteBufAllocator.DEFAULT, SETTINGS, NOT_TOLD, false));
  }

  private RacedBuffer(ThreadHeaps heaps) {
    this.heaps = heaps;
    shared = true;
    buffer = allocateShared();
    heap = buffer.page().heap();
    for (int i = 0; i < BLOCKS; i++) {
      allocateShared();
    }
  }

  private RacedBuffer(ThreadHeaps heaps, int references) {
    this.heaps = heaps;
    shared = false;
    heap = heaps.blockAllocator().acquire(NO_UPKEEP);
    buffer = heap.allocate(BLOCK_BYTES).begin(BLOCK_BYTES, 2 * BLOCK_BYTES);
    for (int i = 1; i < references; i++) {
      buffer.retain();
    }
    heap.allocate(BLOCK_BYTES); // stays in use, so that the page stays, too
    heaps.blockAllocator().abandon(heap);
  }

  private static Settings settings(boolean guarded) {
    return new Settings(
        Map.of(
            Options.MIN_SEGMENT_BYTES,
            (long) Slices.BYTES,
            Options.MAX_SEGMENT_BYTES,
            8L * Slices.BYTES,
            Options.RETAINED_TARGET,
            0L,
            Options.TRIM_DELAY_MILLIS,
            0L,
            Options.MAX_SHARED_THREAD_HEAPS,
            1L,
            Options.CHECKED_RELEASE,
            guarded,
            Options.ZERO_ON_RELEASE,
            guarded));
  }

  /** Makes the calling thread the owner of the buffer's page, or biases the shared heap to it. */
  void own() {
    if (shared) {
      bias();
    } else {
      heap = heaps.blockAllocator().acquire(NO_UPKEEP); // the one that was abandoned
    }
  }

  /**
   * The owner's wait for the other thread. To adopt a heap takes longer than the race itself; and
   * then either waits a little more, so that each comes first at times, by a few instructions.
   */
  void awaitOther() {
    hasOwner = true;
    while (!hasOther) {
      Thread.onSpinWait();
    }
    delay(MOST_DELAY);
  }

  /** The other thread's wait for the owner. */
  void awaitOwner() {
    hasOther = true;
    while (!hasOwner) {
      Thread.onSpinWait();
    }
    delay(MOST_DELAY);
  }

  /** Waits perhaps until the other thread has moved the buffer to a larger block. */
  void awaitGrowth() {
    delay(MOST_DELAY_OF_GROWTH);
  }

  private void delay(int most) {
    int left = ThreadLocalRandom.current().nextInt(most);
    while (hasOwner && left > 0) {
      left--;
    }
  }

  /** Biases the shared heap to the calling thread: takes another block of its second page. */
  private void bias() {
    while (heap.tryAllocateAndBias(BLOCK_BYTES) == null) {
      Thread.onSpinWait();
    }
  }

  private MiMallocByteBuf allocateShared() {
    return heaps.blockAllocator().allocateShared(BLOCK_BYTES).begin(BLOCK_BYTES, 2 * BLOCK_BYTES);
  }

  void retain() {
    buffer.retain();
  }

  boolean release() {
    return buffer.release();
  }

  /** Moves the buffer to a larger block. */
  void grow() {
    buffer.capacity(2 * BLOCK_BYTES);
  }

  /** Whether the owner could take the block for a new buffer, which has one reference then. */
  boolean reuse() {
    for (int i = 0; i < BLOCKS; i++) {
      if (heap.allocate(BLOCK_BYTES) == buffer) {
        buffer.begin(BLOCK_BYTES, 2 * BLOCK_BYTES);
        return true;
      }
    }
    return false;
  }

  /** Writes the first byte of a buffer in use. */
  void write(int value) {
    buffer.setByte(0, value);
  }

  /** Reads the first byte of a buffer in use. */
  int read() {
    return buffer.getByte(0);
  }

  /** At rest, how often the buffer's block is there to be handed out. Ends the test. */
  int timesFree() {
    int times = 0;
    Heap<MiMallocByteBuf> home = buffer.page().heap();
    for (int i = 0; i < MORE_THAN_TWO_PAGES; i++) {
      times += home.allocate(BLOCK_BYTES) == buffer ? 1 : 0;
    }
    return times;
  }

  /** Whether the allocator took something for a double release. */
  boolean isDoubleReleaseReported() {
    return StatisticsReader.read(heaps.blockAllocator()).counts().doubleReleases() > 0;
  }

  /** At rest, whether the old and the new block of a buffer that grew are free. */
  boolean isAllFree() {
    heap.abandon(heap.owner()); // as if it was found dead, for this is another thread
    heaps.blockAllocator().trim();
    try {
      Invariants.check(heaps.blockAllocator());
    } catch (AssertionError e) {
      return false;
    }
    return heaps.liveBytes() == BLOCK_BYTES;
  }
}
