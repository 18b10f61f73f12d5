package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import java.util.concurrent.atomic.LongAdder;

/**
 * Blocks above {@link SizeClasses#MAX_BLOCK_BYTES}. Each has a page of whole slices to itself. The
 * page belongs to no heap, so whoever releases the block gives the slices straight back to the
 * pool. A block above the largest segment has a segment to itself.
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
   * Allocates a block.
   *
   * @throws OutOfMemoryError if there is no native memory or no Java heap; nothing has changed then
   * @throws IllegalStateException if the pool was closed
   */
  public B allocate(int bytes) {
    Run run = pool.claimLarge(bytes);
    try {
      B block = page(run).block(0);
      assert block != null : "its release bound it";
      (pool.isHuge(bytes) ? hugeAllocations : largeAllocations).increment();
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
  static void release(Page<?> page) {
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
