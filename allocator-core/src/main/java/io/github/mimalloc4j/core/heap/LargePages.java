package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import java.util.concurrent.atomic.LongAdder;

/**
 * Blocks above {@link SizeClasses#MAX_BLOCK_BYTES}: each alone in a page of whole slices that
 * belongs to no heap, so that whoever releases it gives the slices straight back to the pool. Above
 * the largest segment it has a segment to itself.
 *
 * <p>Thread-safe and, but for obtaining a segment, lock-free.
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
   * Takes a block.
   *
   * @throws OutOfMemoryError if there is no memory, native or for the Java objects; nothing has
   *     changed then
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

  /** How many blocks were taken that share a segment. */
  public long largeAllocations() {
    return largeAllocations.sum();
  }

  /** How many blocks were taken that have a segment to themselves. */
  public long hugeAllocations() {
    return hugeAllocations.sum();
  }

  /** Takes the block of a large page back. Any thread that turned it to "free, deferred". */
  static void release(Page<?> page) {
    page.run.release();
  }

  private Page<B> page(Run run) {
    @SuppressWarnings("unchecked") // set below alone
    Page<B> page = (Page<B>) run.attachment();
    if (page == null) {
      page = new Page<>(null, run, NO_BIN, run.bytes(), 1);
      page.extend(factory);
      run.attach(page);
    }
    return page;
  }
}
