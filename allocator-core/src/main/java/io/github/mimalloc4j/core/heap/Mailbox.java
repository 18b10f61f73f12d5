package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap that have deferred blocks and that the holder {@linkplain DeferredList#ask()
 * asked for}. Any thread posts; the holder takes all at once.
 *
 * <p>A Treiber stack, linked through a field of the pages. A page is in it at most once, so the
 * page can carry the link itself, and a release never allocates: it creates no garbage, and cannot
 * run out of memory after the block was pushed.
 *
 * <p>A page taken from here is a hint. By then its blocks may have been collected, and the page may
 * even be {@linkplain Page#isGone gone}.
 */
final class Mailbox<B extends Block> {

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(Mailbox.class, "head", Page.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile @Nullable Page<B> head;

  /** Adds a page. Lock-free; any thread whose {@link DeferredList#push} returned true. */
  void post(Page<B> page) {
    Page<B> seen;
    do {
      seen = head;
      page.nextInMailbox = seen; // plain: published by the compare-and-set
    } while (!HEAD.compareAndSet(this, seen, page));
  }

  /** Returns whether no page is posted. Any thread. */
  boolean isEmpty() {
    return head == null;
  }

  /** Returns the page posted last, or null if there is none. For checks at rest. */
  @Nullable Page<B> peek() {
    return head;
  }

  /**
   * Takes all pages, the last one posted first. Holder only.
   *
   * @return the first, to be followed by {@link Page#nextInMailbox}; null if there is none
   */
  @Nullable Page<B> takeAll() {
    if (isEmpty()) {
      return null;
    }
    @SuppressWarnings("unchecked") // the field's own type
    Page<B> first = (Page<B>) HEAD.getAndSet(this, null); // pairs with post()
    return first;
  }
}
