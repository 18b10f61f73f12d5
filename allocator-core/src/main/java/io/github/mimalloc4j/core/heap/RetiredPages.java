package io.github.mimalloc4j.core.heap;

import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap that became empty, in that order: a few are kept for their bin's next
 * request, since a page that is given back loses its blocks' Java objects too.
 *
 * <p>A retired page stays in its bin's queue and may be in use again; that is looked at only when
 * there are too many. Every empty page of a heap with blocks made is here.
 *
 * <p>For the holder of the heap alone.
 */
final class RetiredPages<B extends Block> {

  private @Nullable Page<B> first;
  private @Nullable Page<B> last;
  private long bytes;

  /** The bytes of the pages that are here, in use again or not. */
  long bytes() {
    return bytes;
  }

  /** The page that was retired first. For checks at rest. */
  @Nullable Page<B> peek() {
    return first;
  }

  /** Adds an empty page that is not here yet. */
  void add(Page<B> page) {
    page.enterRetired();
    bytes += page.bytes();
    if (last == null) {
      first = page;
    } else {
      last.nextRetired = page;
    }
    last = page;
  }

  /**
   * Looks at some pages, the first ones first: those in use again leave, others join at the end. So
   * no empty page has to go for one that is none.
   *
   * @param count how many at most
   */
  void sift(int count) {
    for (int i = 0; i < count; i++) {
      Page<B> page = poll();
      if (page == null) {
        return;
      }
      if (page.isEmpty()) {
        add(page);
      }
    }
  }

  /** Takes the page that was retired first; null if there is none. It may be in use again. */
  @Nullable Page<B> poll() {
    Page<B> page = first;
    if (page != null) {
      first = page.nextRetired;
      if (first == null) {
        last = null;
      }
      page.leaveRetired();
      bytes -= page.bytes();
    }
    return page;
  }
}
