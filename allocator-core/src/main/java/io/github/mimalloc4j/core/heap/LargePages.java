package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Blocks above {@link SizeClasses#MAX_BLOCK_BYTES}. Each has a page of whole slices to itself. The
 * page belongs to no heap, so whoever releases the block gives the slices straight back to the
 * pool, unless that is the owner of the heap from which the block was requested: that heap may
 * {@linkplain KeptLargePage keep} the page. A block above the largest segment has a segment to
 * itself.
 *
 * <p>Thread-safe. Lock-free, except for obtaining a segment.
 */
public final class LargePages<B extends Block> {

  /** No size class. */
  private static final int NO_BIN = -1;

  private final SegmentPool pool;
  private final BlockFactory<B> factory;
  private final LongAdder largeAllocations = new LongAdder();
  private final LongAdder hugeAllocations = new LongAdder();

  public LargePages(SegmentPool pool, BlockFactory<B> factory) {
    this.pool = pool;
    this.factory = factory;
  }

  /**
   * Allocates a block for a thread that owns no heap.
   *
   * @throws OutOfMemoryError if there is no native memory or no Java heap; nothing has changed then
   * @throws IllegalStateException if the pool was closed
   */
  public B allocate(int bytes) {
    return allocate(bytes, pool.claimLarge(bytes), null);
  }

  /**
   * Allocates a block for the owner of a heap.
   *
   * @param heap keeps the page if its owner releases the block
   * @throws OutOfMemoryError as {@link #allocate(int)} does
   * @throws IllegalStateException if the pool was closed
   */
  B allocate(int bytes, Heap<B> heap) {
    return allocate(bytes, pool.claimLarge(bytes), heap);
  }

  /**
   * Allocates a block as {@link #allocate(int, Heap)} does, or returns null if no segment has room.
   */
  @Nullable B allocateExisting(int bytes, Heap<B> heap) {
    Run run = pool.claimLargeExisting(bytes);
    return run == null ? null : allocate(bytes, run, heap);
  }

  private B allocate(int bytes, Run run, @Nullable Heap<B> heap) {
    boolean huge = pool.isHuge(bytes);
    try {
      Page<B> page = page(run);
      B block = page.block(0);
      assert block != null : "its release bound it";
      page.keeper = huge || page.blockSize > KeptLargePage.MOST_BYTES ? null : heap;
      (huge ? hugeAllocations : largeAllocations).increment();
      return block;
    } catch (Throwable e) {
      run.release();
      throw e;
    }
  }

  /** Returns the number of blocks allocated in shared segments. */
  public long largeAllocations() {
    return largeAllocations.sum();
  }

  /** Returns the number of blocks allocated in a segment of their own. */
  public long hugeAllocations() {
    return hugeAllocations.sum();
  }

  /** Takes back the block of a large page. Any thread that turned it to "free, deferred". */
  static <B extends Block> void release(Page<B> page) {
    Heap<B> keeper = page.keeper;
    if (keeper == null || !keeper.keepLarge(page)) {
      giveBack(page);
    }
  }

  /** Gives a large page's slices back. Whoever has the page to itself. */
  static void giveBack(Page<?> page) {
    page.keeper = null; // the page is left for the run's next user, who need not keep that heap
    page.run.release();
  }

  private Page<B> page(Run run) {
    @SuppressWarnings("unchecked") // set below only
    Page<B> page = (Page<B>) run.attachment();
    if (page == null) {
      page = new Page<>(null, run, NO_BIN, run.bytes(), 1);
      page.extend(factory);
      run.attach(page);
    }
    return page;
  }
}
