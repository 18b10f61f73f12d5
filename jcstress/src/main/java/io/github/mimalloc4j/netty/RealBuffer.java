package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.GuardedHeaps;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A buffer on the Java heap, in a heap that the first of the racing threads adopts. */
final class RealBuffer implements BufferView {

  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = Slices.BYTES / BLOCK_BYTES;

  /** In blocks: a heap's second page of a bin is four times its first. */
  private static final int MORE_THAN_TWO_PAGES = 6 * BLOCKS;

  private static final MemoryPolicy SMALL =
      new MemoryPolicy(new SegmentSizing(Slices.BYTES, 8 * Slices.BYTES, 8), Long.MAX_VALUE, 0, 0);
  private static final Settings SETTINGS = settings(false);
  private static final Settings CHECKED_RELEASE = settings(true);
  private static final OutOfMemoryListener NOT_TOLD = (direct, asked, used, live, error) -> {};
  private static final UpkeepExecutor NO_UPKEEP = (task, delay) -> {};

  /** A field, for the logging framework forgets loggers and their levels. */
  private static final Logger LOGGER = Logger.getLogger(MiMallocByteBufAllocator.class.getName());

  static {
    LOGGER.setLevel(Level.OFF); // one race releases twice, and that is logged
  }

  private final ThreadHeaps heaps;
  private final MiMallocByteBuf buffer;
  private Heap<MiMallocByteBuf> heap;
  private volatile boolean hasOwner;

  /** A buffer as usual. */
  RealBuffer(int references) {
    this(ThreadHeaps.array(MiMallocByteBufAllocator.DEFAULT, SETTINGS, NOT_TOLD), references);
  }

  /** A buffer of which each release is checked. */
  static RealBuffer checked() {
    return new RealBuffer(
        GuardedHeaps.of(
            MiMallocByteBufAllocator.DEFAULT,
            CHECKED_RELEASE,
            NOT_TOLD,
            (afterRelease, block, index, trace) -> {},
            false),
        1);
  }

  private RealBuffer(ThreadHeaps heaps, int references) {
    this.heaps = heaps;
    heap = heaps.heaps().acquire(NO_UPKEEP);
    buffer = heap.allocate(BLOCK_BYTES).begin(BLOCK_BYTES, 2 * BLOCK_BYTES);
    for (int i = 1; i < references; i++) {
      buffer.retain();
    }
    heap.allocate(BLOCK_BYTES); // stays in use, so that the page stays, too
    heaps.heaps().abandon(heap);
  }

  private static Settings settings(boolean checkedRelease) {
    return new Settings(true, SMALL, SMALL, 1, checkedRelease, false, false, false);
  }

  @Override
  public void own() {
    heap = heaps.heaps().acquire(NO_UPKEEP); // the one that was abandoned
    hasOwner = true;
  }

  @Override
  public void awaitOwner() {
    while (!hasOwner) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void retain() {
    buffer.retain();
  }

  @Override
  public boolean release() {
    return buffer.release();
  }

  @Override
  public void grow() {
    buffer.capacity(2 * BLOCK_BYTES);
  }

  @Override
  public boolean reuse() {
    for (int i = 0; i < BLOCKS; i++) {
      if (heap.allocate(BLOCK_BYTES) == buffer) {
        buffer.begin(BLOCK_BYTES, 2 * BLOCK_BYTES);
        return true;
      }
    }
    return false;
  }

  @Override
  public int timesFree() {
    int times = 0;
    Heap<MiMallocByteBuf> home = buffer.page().heap();
    for (int i = 0; i < MORE_THAN_TWO_PAGES; i++) {
      times += home.allocate(BLOCK_BYTES) == buffer ? 1 : 0;
    }
    return times;
  }

  @Override
  public boolean isAllFree() {
    heap.trim();
    heaps.heaps().trim();
    Invariants.check(heaps.heaps());
    return heaps.pinnedBytes() == BLOCK_BYTES;
  }
}
