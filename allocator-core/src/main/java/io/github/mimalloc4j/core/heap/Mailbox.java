package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a heap that have deferred blocks and that the holder {@linkplain DeferredList#ask()
 * asked for}. Posted by any thread, taken whole by the holder.
 *
 * <p>A Treiber stack through a field of the pages, and not a queue of a library: a page is there at
 * most once, so it can carry the link itself, and a release never allocates. It therefore neither
 * makes garbage nor runs out of memory after the block was already pushed.
 *
 * <p>A page here is a hint. By the time it is taken its blocks may have been collected, and the
 * page may even be {@linkplain Page#gone gone}.
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

  /** Adds a page. Lock-free; any thread to which {@link DeferredList#push} says so. */
  void post(Page<B> page) {
    Page<B> seen;
    do {
      seen = head;
      page.nextInMailbox = seen; // plain: published by the compare-and-set
    } while (!HEAD.compareAndSet(this, seen, page));
  }

  /** Whether nothing is there. Any thread. */
  boolean isEmpty() {
    return head == null;
  }

  /** The page posted last. For checks at rest. */
  @Nullable Page<B> peek() {
    return head;
  }

  /**
   * Takes all pages, the last one posted first. The holder only.
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
