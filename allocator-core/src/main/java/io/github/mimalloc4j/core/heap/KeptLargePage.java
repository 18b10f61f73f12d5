package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import org.jspecify.annotations.Nullable;

/**
 * The large page that the owner of a heap released last. The next large block of that size is taken
 * from it without a search for slices. The page goes back to the pool when another one is kept,
 * when there is no room for a large block of another size, or when the heap is trimmed.
 *
 * <p>Holder of the heap only, unless stated otherwise.
 */
final class KeptLargePage<B extends Block> {

  /** Larger pages are not kept: as much as most segments for large blocks have. */
  static final int MOST_BYTES = 1 << 20;

  /**
   * The page. Stays here while its block is in use again, because storing a reference costs a
   * garbage collector's barrier; cleared when the heap is trimmed.
   */
  private @Nullable Page<B> page;

  /** Whether the page is kept, rather than in use or given back. */
  private boolean kept;

  /** Takes the page if blocks of just as many slices are requested; else returns null. */
  @Nullable Page<B> take(int bytes) {
    Page<B> page = this.page;
    if (!kept || page == null || page.blockSize < bytes || page.blockSize - bytes >= Slices.BYTES) {
      return null;
    }
    kept = false;
    return page;
  }

  /**
   * Keeps a page.
   *
   * @return the page that was kept until now, for the caller to give back; null if there was none
   */
  @Nullable Page<B> keep(Page<B> page) {
    Page<B> before = kept ? this.page : null;
    if (this.page != page) {
      this.page = page;
    }
    kept = true;
    return before;
  }

  /** Keeps nothing any more. Returns the page that was kept, for the caller to give back. */
  @Nullable Page<B> leave() {
    Page<B> before = kept ? page : null;
    kept = false;
    page = null;
    return before;
  }

  /** Returns the page that is kept; null if there is none. For checks at rest. */
  @Nullable Page<B> peek() {
    return kept ? page : null;
  }

  /** Returns the bytes of the page that is kept. Any thread: exact at rest, else a snapshot. */
  int bytes() {
    Page<B> page = this.page;
    return kept && page != null ? page.bytes() : 0;
  }
}
