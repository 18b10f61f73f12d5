package io.github.mimalloc4j.core.heap;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * All pages of a heap and, for each bin, the queue of the pages that may have a block to hand out.
 *
 * <p>Blocks are taken from the page at the head. An exhausted page leaves the queue. When a block
 * comes back, the page joins again at the <b>tail</b>, so that it gathers blocks before it is used
 * again. Queues are linked by the numbers of their pages, not by references, for the same reason as
 * a page's free stack.
 *
 * <p>Holder of the heap only, unless stated otherwise.
 */
final class PageQueues<B extends Block> {

  /** The head of an empty queue. */
  private static final Page<?> NONE = Page.none();

  /**
   * The page to take blocks from, by bin. For an empty queue it is a page that never has any, so
   * that the fast path needs no null check.
   */
  final Page<B>[] heads;

  private final int[] tails;
  private final long[] bytesOfBin;

  /** The pages of the heap, by number; null for numbers not in use. */
  private @Nullable Page<B>[] pages;

  /** The numbers in use. As large as {@link #pages}, so that it need not grow in between. */
  private BitSet numbers;

  /** No number below this one is free. */
  private int lowestFree;

  /** No page has this number or a higher one. */
  private int end;

  private int pageCount;
  private long bytes;

  PageQueues(int bins) {
    heads = newArray(bins);
    Arrays.fill(heads, none());
    tails = new int[bins];
    Arrays.fill(tails, Page.NO_PAGE);
    bytesOfBin = new long[bins];
    pages = newArray(16);
    numbers = new BitSet(pages.length);
  }

  @SuppressWarnings("unchecked") // it has no block
  private static <B extends Block> Page<B> none() {
    return (Page<B>) NONE;
  }

  /** Returns whether the bin's queue has no page. Any thread: a hint. */
  boolean isEmpty(int bin) {
    return heads[bin] == NONE;
  }

  /** Returns the bytes of the slices of the bin's pages, queued or not. Any thread: a hint. */
  long bytes(int bin) {
    return bytesOfBin[bin];
  }

  /** Returns the number of pages of the heap. Any thread: exact at rest, else a snapshot. */
  int pageCount() {
    return pageCount;
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

  /** Returns the number of the page at the tail of the bin's queue, or {@link Page#NO_PAGE}. */
  int tail(int bin) {
    return tails[bin];
  }

  /** Ensures that {@link #add} finds a number, and so cannot run out of memory. */
  void reserve() {
    if (pageCount == pages.length) {
      BitSet more = new BitSet(pages.length * 2);
      more.or(numbers);
      pages = Arrays.copyOf(pages, pages.length * 2);
      numbers = more;
    }
  }

  /** Adds a new page, at the tail of its bin's queue. */
  void add(Page<B> page) {
    int number = numbers.nextClearBit(lowestFree);
    numbers.set(number);
    lowestFree = number + 1;
    end = numbers.length();
    page.enterHeap(number);
    pages[number] = page;
    pageCount++;
    bytesOfBin[page.bin] += page.bytes();
    bytes += page.bytes();
    enqueue(page);
  }

  /** Removes an empty or stolen page for good. */
  void remove(Page<B> page) {
    int number = page.number();
    if (page.isQueued()) {
      dequeue(page);
    }
    page.leaveHeap();
    pages[number] = null;
    numbers.clear(number);
    lowestFree = Math.min(lowestFree, number);
    end = numbers.length();
    pageCount--;
    bytesOfBin[page.bin] -= page.bytes();
    bytes -= page.bytes();
  }

  /** Adds a page that is in no queue at the tail of its bin's queue. */
  void enqueue(Page<B> page) {
    assert !page.isQueued() && !page.isGone();
    int bin = page.bin;
    int tail = tails[bin];
    Page<B> before = page(tail);
    int number = page.number(); // the last call: the stack's end must not come between the changes
    page.previous = tail;
    page.next = Page.NO_PAGE;
    if (before == null) {
      heads[bin] = page;
    } else {
      before.next = number;
    }
    tails[bin] = number;
  }

  /**
   * Removes a page from its bin's queue that is exhausted, leaves the heap, or is to be queued
   * again.
   */
  void dequeue(Page<B> page) {
    assert page.isQueued();
    int bin = page.bin;
    Page<B> before = page(page.previous);
    Page<B> after = page(page.next);
    Page<B> head = after == null ? none() : after; // the last call, as in enqueue()
    if (before == null) {
      heads[bin] = head;
    } else {
      before.next = page.next;
    }
    if (after == null) {
      tails[bin] = page.previous;
    } else {
      after.previous = page.previous;
    }
    page.previous = Page.NO_PAGE;
    page.next = Page.NOT_QUEUED;
  }

  private @Nullable Page<B> page(int number) {
    return number == Page.NO_PAGE ? null : pages[number];
  }

  @SuppressWarnings("unchecked") // filled with Page<B> only
  private static <B extends Block> Page<B>[] newArray(int length) {
    return (Page<B>[]) new Page<?>[length];
  }
}
