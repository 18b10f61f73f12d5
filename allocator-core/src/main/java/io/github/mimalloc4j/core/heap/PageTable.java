package io.github.mimalloc4j.core.heap;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * All pages of a heap by number, and their sums. Numbers are used again, the lowest first, so that
 * the table ends near its last page.
 *
 * <p>Holder of the heap only, unless stated otherwise.
 */
final class PageTable<B extends Block> {

  private final long[] bytesOfBin;

  /** The pages by number; null for numbers not in use. */
  private @Nullable Page<B>[] pages = newArray(16);

  /** The numbers in use. As large as {@link #pages}, so that it need not grow in between. */
  private BitSet numbers = new BitSet(pages.length);

  /** No number below this one is free. */
  private int lowestFree;

  /** No page has this number or a higher one. */
  private int end;

  private int count;
  private long bytes;

  PageTable(int bins) {
    bytesOfBin = new long[bins];
  }

  @SuppressWarnings("unchecked") // filled with Page<B> only
  static <B extends Block> Page<B>[] newArray(int length) {
    return (Page<B>[]) new Page<?>[length];
  }

  /** Returns the page of a number in use, or null for {@link Page#NO_PAGE}. */
  @Nullable Page<B> page(int number) {
    return number == Page.NO_PAGE ? null : pages[number];
  }

  /**
   * Returns the pages by number; null for numbers not in use. Callers must not change the array.
   * Any thread: a snapshot.
   */
  @Nullable Page<B>[] pages() {
    return pages;
  }

  /**
   * Returns the number after the highest in use. Any thread: exact at rest, else a snapshot, which
   * may be beyond the end of {@link #pages}.
   */
  int end() {
    return end;
  }

  /** Returns the number of pages. Any thread: exact at rest, else a snapshot. */
  int count() {
    return count;
  }

  /** Returns the bytes of the slices of the bin's pages, queued or not. Any thread: a hint. */
  long bytes(int bin) {
    return bytesOfBin[bin];
  }

  /** Returns the bytes of the slices of all pages, stolen ones included. */
  long bytes() {
    return bytes;
  }

  /**
   * Returns the bytes of the slices of all pages that were not stolen. Any thread: exact at rest,
   * else a snapshot.
   */
  long ownBytes() {
    long own = 0;
    for (Page<B> page : pages) {
      own += page == null || page.isStolen() ? 0 : page.bytes();
    }
    return own;
  }

  /** Returns the bytes of all blocks in use. Any thread: exact at rest, else a snapshot. */
  long liveBytes() {
    long live = 0;
    for (Page<B> page : pages) {
      live += page == null ? 0 : (long) page.liveBlocks() * page.blockBytes();
    }
    return live;
  }

  /**
   * Returns the number of blocks taken from the pages. Any thread: exact at rest, else never too
   * high.
   */
  long allocations() {
    long allocations = 0;
    for (Page<B> page : pages) {
      allocations += page == null ? 0 : page.allocations();
    }
    return allocations;
  }

  /** Ensures that {@link #add} finds a number, and so cannot run out of memory. */
  void reserve() {
    if (count == pages.length) {
      BitSet more = new BitSet(pages.length * 2);
      more.or(numbers);
      pages = Arrays.copyOf(pages, pages.length * 2);
      numbers = more;
    }
  }

  /** Adds a new page. */
  void add(Page<B> page) {
    int number = numbers.nextClearBit(lowestFree);
    numbers.set(number);
    lowestFree = number + 1;
    end = numbers.length();
    page.enterHeap(number);
    pages[number] = page;
    count++;
    bytesOfBin[page.bin] += page.bytes();
    bytes += page.bytes();
  }

  /** Removes an empty or stolen page that is in no queue, for good. */
  void remove(Page<B> page) {
    assert !page.isQueued();
    int number = page.number();
    page.leaveHeap();
    pages[number] = null;
    numbers.clear(number);
    lowestFree = Math.min(lowestFree, number);
    end = numbers.length();
    count--;
    bytesOfBin[page.bin] -= page.bytes();
    bytes -= page.bytes();
  }
}
