package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
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

  /** How many kept pages at most are given back to make room for another one. */
  private static final int MOST_LOOKS_FOR_ROOM = 8;

  private final SegmentPool pool;
  private final BlockFactory<B> factory;
  private final PageStealer stealer;
  private final LongAdder largeAllocations = new LongAdder();
  private final LongAdder hugeAllocations = new LongAdder();

  /**
   * Creates pages without blocks.
   *
   * @param stealer takes the pages that heaps keep, if there is no room for another one
   */
  public LargePages(SegmentPool pool, BlockFactory<B> factory, PageStealer stealer) {
    this.pool = pool;
    this.factory = factory;
    this.stealer = stealer;
  }

  /**
   * Allocates a block.
   *
   * @param heap keeps the page if its owner releases the block; null if none does
   * @param trim gives back what heaps can spare, and returns whether to steal all pages that can be
   *     stolen if that does not suffice; called once if memory has run out for a block that could
   *     have fitted
   * @throws OutOfMemoryError if there still is no native memory or no Java heap
   * @throws IllegalStateException if the pool was closed
   */
  public B allocate(int bytes, @Nullable Heap<B> heap, BooleanSupplier trim) {
    pool.requireWithinReach(bytes); // a remote peer may have made up the length
    boolean thoroughly;
    try {
      return allocate(bytes, heap);
    } catch (OutOfMemoryError e) {
      thoroughly = trim.getAsBoolean();
    }
    try {
      return allocate(bytes, heap);
    } catch (OutOfMemoryError e) {
      int stolen = 0;
      while (stealer.stealPage(1, thoroughly)) { // any page that its owner has not collected
        stolen++;
        boolean tries = pool.freeBytes() >= bytes || Integer.bitCount(stolen) == 1; // or in a gap
        B block = tries ? allocateIfPossible(bytes, heap) : null;
        if (block != null) {
          return block;
        }
      }
      if (stolen == 0) {
        throw e;
      }
      return allocate(bytes, heap);
    }
  }

  private @Nullable B allocateIfPossible(int bytes, @Nullable Heap<B> heap) {
    try {
      return allocate(bytes, heap);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private B allocate(int bytes, @Nullable Heap<B> heap) {
    Run run = claim(bytes, heap);
    boolean huge = pool.needsDedicated(bytes);
    Page<B> page = null;
    try {
      page = page(run);
      B block = block(page);
      (huge ? hugeAllocations : largeAllocations).increment(); // may lack Java heap
      page.keeper = huge || page.blockBytes > KeptLargePage.MOST_BYTES ? null : heap;
      return block;
    } catch (Throwable e) {
      if (!giveBack(page)) {
        run.release();
      }
      throw e;
    }
  }

  /** Claims a run, in a new segment only if kept pages that are given back do not make room. */
  private Run claim(int bytes, @Nullable Heap<B> heap) {
    Run run = pool.claimLargeExisting(bytes);
    int looks = pool.needsDedicated(bytes) ? 0 : MOST_LOOKS_FOR_ROOM;
    for (; run == null && looks > 0 && stealer.stealKeptLarge(heap); looks--) {
      run = pool.claimLargeExisting(bytes);
    }
    return run != null ? run : pool.claimLarge(bytes);
  }

  /**
   * Returns the number of blocks allocated in shared segments. Those that heaps have taken from
   * pages that they kept are {@linkplain HeapCounts counted} there.
   */
  public long largeAllocations() {
    return largeAllocations.sum();
  }

  /** Returns the number of blocks allocated in a segment of their own. */
  public long hugeAllocations() {
    return hugeAllocations.sum();
  }

  /**
   * Gives a large page's slices back. Whoever has the page to itself.
   *
   * @return false if the page is null
   */
  static boolean giveBack(@Nullable Page<?> page) {
    if (page == null) {
      return false;
    }
    page.keeper = null; // the page is left for the run's next user, who need not keep that heap
    page.giveBack();
    return true;
  }

  /** Returns the block of a large page. */
  static <B extends Block> B block(Page<B> page) {
    B block = page.block(0);
    assert block != null : "its release bound it";
    return block;
  }

  private Page<B> page(Run run) {
    @SuppressWarnings("unchecked") // set below only
    Page<B> page = (Page<B>) run.attachment();
    if (page == null) {
      page = new Page<>(null, run, SizeClasses.NO_BIN, run.bytes(), 1);
      page.extend(factory);
      run.attach(page);
    } else {
      page.recallMemory();
    }
    return page;
  }
}
