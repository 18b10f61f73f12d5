package io.github.mimalloc4j.core.heap;

import java.util.Arrays;

/**
 * For each bin of a heap, the queue of the pages that may have a block to hand out.
 *
 * <p>Blocks are taken from the page at the head. An exhausted page leaves the queue. When a block
 * comes back, the page joins again at the <b>tail</b>, so that it gathers blocks before it is used
 * again. Queues are linked by the pages' numbers in the {@link PageTable}, not by references, for
 * the same reason as a page's free stack.
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
  private final PageTable<B> table;

  PageQueues(int bins, PageTable<B> table) {
    heads = PageTable.newArray(bins);
    Arrays.fill(heads, none());
    tails = new int[bins];
    Arrays.fill(tails, Page.NO_PAGE);
    this.table = table;
  }

  @SuppressWarnings("unchecked") // it has no block
  private static <B extends Block> Page<B> none() {
    return (Page<B>) NONE;
  }

  /** Returns whether the bin's queue has no page. Any thread: a hint. */
  boolean isEmpty(int bin) {
    return heads[bin] == NONE;
  }

  /** Returns the number of the page at the tail of the bin's queue, or {@link Page#NO_PAGE}. */
  int tail(int bin) {
    return tails[bin];
  }

  /** Adds a page of the table that is in no queue at the tail of its bin's queue. */
  void enqueue(Page<B> page) {
    assert !page.isQueued() && !page.isGone();
    int bin = page.bin;
    int tail = tails[bin];
    Page<B> before = table.page(tail);
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
    Page<B> before = table.page(page.previous);
    Page<B> after = table.page(page.next);
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
}
