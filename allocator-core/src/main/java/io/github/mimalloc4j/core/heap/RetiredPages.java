package io.github.mimalloc4j.core.heap;

import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap that became empty, in that order, and how many of them are kept: a page that
 * is given back loses its blocks' Java objects too, and its bin may ask for it again soon.
 *
 * <p>The rule: empty pages are kept up to 2 MiB or, if that is more, to one part in 32 of the
 * heap's bytes, and the oldest goes first; a heap that needs memory gives them back before it
 * obtains a segment, unless it is small and was doing so over and over.
 *
 * <p>A retired page stays in its bin's queue and may be in use again; that is looked at only when
 * there are too many. Every empty page of a heap with blocks made is here.
 *
 * <p>For the holder of the heap alone.
 */
final class RetiredPages<B extends Block> {

  /** Bytes that every heap may keep while it is in use; no page is larger. */
  static final int MIN_LIMIT_BYTES = 2 * 1024 * 1024;

  /** A heap may keep one part in as many of its bytes: of large heaps more than the least limit. */
  private static final int LIMIT_SHARE = 32;

  /** How many pages are looked at when another one is too many: enough, and never a long walk. */
  private static final int SIFTED_PAGES = 8;

  /**
   * Up to so many bytes of pages, a heap that keeps giving pages back to make room for others gets
   * another segment instead: it has too little for what it does, and would make all blocks anew
   * again and again.
   */
  private static final int SMALL_HEAP_BYTES = 1024 * 1024;

  /** How many pages make room for others, between two trims, before that is too often. */
  private static final int MOST_MADE_ROOM = 64;

  private @Nullable Page<B> first;
  private @Nullable Page<B> last;
  private int count;
  private long bytes;

  /** How many pages were given back since the last trim to make room for others. */
  private int madeRoom;

  /** How many bytes of retired pages a heap with so many bytes of pages keeps. */
  static long limit(long heapBytes) {
    return Math.max(MIN_LIMIT_BYTES, heapBytes / LIMIT_SHARE);
  }

  /** The number of pages that are here, in use again or not. */
  int count() {
    return count;
  }

  /** The bytes of the pages that are here, in use again or not. */
  long bytes() {
    return bytes;
  }

  /** The page that was retired first. For checks at rest. */
  @Nullable Page<B> peek() {
    return first;
  }

  /**
   * Adds an empty page that is not here yet. If that makes too many bytes, some pages are looked
   * at: those in use again leave, so that no empty page has to go for them.
   */
  void add(Page<B> page, long limit) {
    if (bytes + page.bytes() > limit) {
      sift(SIFTED_PAGES);
    }
    add(page);
  }

  private void add(Page<B> page) {
    page.enterRetired();
    count++;
    bytes += page.bytes();
    if (last == null) {
      first = page;
    } else {
      last.nextRetired = page;
    }
    last = page;
  }

  /** Looks at the first pages: those in use again leave, others join at the end. */
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
      count--;
      bytes -= page.bytes();
    }
    return page;
  }

  /**
   * Takes the page that was retired first, for a heap that needs memory.
   *
   * @param heapBytes the bytes of the heap's pages
   * @return null if there is none, or the heap had better obtain a segment; it may be in use again
   */
  @Nullable Page<B> pollForRoom(long heapBytes) {
    if (madeRoom >= MOST_MADE_ROOM && heapBytes < SMALL_HEAP_BYTES) {
      return null;
    }
    Page<B> page = poll();
    if (page != null) {
      madeRoom++;
    }
    return page;
  }

  /** The heap was trimmed: what it needed until now says nothing of what it needs next. */
  void trimmed() {
    madeRoom = 0;
  }
}
