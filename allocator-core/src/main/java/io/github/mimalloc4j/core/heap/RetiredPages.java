package io.github.mimalloc4j.core.heap;

import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap that became empty, in the order in which they did, and the rule for how many
 * of them are kept. A page that is given back also loses its blocks' Java objects, and its bin may
 * soon need a page again.
 *
 * <p>The rule: empty pages are kept up to 2 MiB or, if that is more, up to one part in 32 of the
 * heap's bytes. Up to 4 MiB are kept while the heap is no larger than what it had in use at one
 * time since the last trim began: requests that come in bursts need the same pages again a moment
 * later. The oldest goes first. {@link PageRoom} also has some given back to make room for another
 * page.
 *
 * <p>A retired page stays in its bin's queue and may be in use again. That is checked only when
 * there are too many. Every empty page that has created blocks is here, unless retiring it
 * {@linkplain Page#wasCutShort was cut short}, and perhaps pages that were stolen since.
 *
 * <p>Holder of the heap only.
 */
final class RetiredPages<B extends Block> {

  /** The bytes of retired pages that every heap in use may keep; no page is larger. */
  static final int MIN_LIMIT_BYTES = 2 * 1024 * 1024;

  /** The bytes of retired pages that a heap may keep that had all its pages in use before. */
  static final int PEAK_LIMIT_BYTES = 2 * MIN_LIMIT_BYTES;

  /** A heap may keep one part in this many of its bytes, if that exceeds the minimum. */
  private static final int LIMIT_SHARE = 32;

  /** How many pages are looked at when there are too many: enough, and never a long walk. */
  private static final int SIFTED_PAGES = 8;

  private @Nullable Page<B> first;
  private @Nullable Page<B> last;
  private int count;
  private long bytes;

  /**
   * The most bytes of pages that were in use at one time since the last trim began. Pages that are
   * here and in use again may be missing.
   */
  private long peakInUse;

  /** Returns how many bytes of retired pages any heap with that many bytes of pages keeps. */
  static long limit(long heapBytes) {
    return Math.max(MIN_LIMIT_BYTES, heapBytes / LIMIT_SHARE);
  }

  /** Returns the number of pages that are here, in use again or not. */
  int count() {
    return count;
  }

  /** Returns the bytes of the pages that are here, in use again or not. */
  long bytes() {
    return bytes;
  }

  /** Returns the page that was retired first; null if there is none. */
  @Nullable Page<B> peek() {
    return first;
  }

  /**
   * Adds an empty page that is not here yet. If that makes too many bytes, looks at some pages
   * first: those in use again leave, so that no empty page has to go for them.
   *
   * @param heapBytes the bytes of the heap's pages
   */
  void add(Page<B> page, long heapBytes) {
    if (areTooMany(bytes + page.bytes(), heapBytes)) {
      sift(SIFTED_PAGES);
    }
    peakInUse = Math.max(peakInUse, heapBytes - bytes); // this page was in use until now
    add(page);
  }

  /**
   * Returns whether the oldest page should be given back.
   *
   * @param heapBytes the bytes of the heap's pages
   */
  boolean areTooMany(long heapBytes) {
    return areTooMany(bytes, heapBytes);
  }

  private boolean areTooMany(long bytes, long heapBytes) {
    return bytes > limit(heapBytes) && (bytes > PEAK_LIMIT_BYTES || heapBytes > peakInUse);
  }

  private void add(Page<B> page) {
    int bytes = page.bytes();
    page.enterRetired(); // the last call: the end of the stack must not come between the changes
    count++;
    this.bytes += bytes;
    if (last == null) {
      first = page;
    } else {
      last.nextRetired = page;
    }
    last = page;
  }

  /** Looks at the first pages: those in use again leave, others move to the end. */
  void sift(int most) {
    for (int i = 0; i < most; i++) {
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
      int bytes = page.bytes();
      Page<B> next = page.nextRetired;
      page.leaveRetired(); // the last call, as in add()
      first = next;
      if (next == null) {
        last = null;
      }
      count--;
      this.bytes -= bytes;
    }
    return page;
  }

  /**
   * Notes that a trim begins: what the heap needed until now does not predict what it needs next.
   */
  void trimBegins() {
    peakInUse = 0;
  }
}
