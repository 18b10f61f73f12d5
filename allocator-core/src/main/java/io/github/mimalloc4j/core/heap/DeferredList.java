package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slots of a page that other threads released: a Treiber stack of slot numbers, pushed by any
 * thread and taken whole by the holder of the page's heap. (R. K. Treiber, "Systems programming:
 * coping with parallelism", 1986.)
 *
 * <p>The head also carries a question: a holder that finds its page exhausted {@linkplain #ask()
 * asks} for the page to be posted in the {@link Mailbox} after the next push.
 *
 * <pre>
 *          push: s                                 push: s, "post the page"
 *   EMPTY ─────────────────────▶ s ◀──────────────────────────────────────── ASKED
 *     ▲  ◀───────────────────────┘                                             ▲
 *     │          takeAll                                                       │
 *     └────────────────────────────────── ask ─────────────────────────────────┘
 * </pre>
 *
 * <p>Chains are only ever detached whole, so there is no ABA. The links are an array of their own
 * and not fields of the blocks, so that a block that was released twice cannot break a list of
 * another page.
 */
final class DeferredList {

  /** The end of a chain, and what {@link #takeAll()} returns when nothing was deferred. */
  static final int NONE = -1;

  private static final int EMPTY = NONE;
  private static final int ASKED = -2;

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(DeferredList.class, "head", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * By slot, the next slot of the chain. There from the start, though many pages never need it:
   * made by the first release from another thread, it could leave that without memory.
   */
  private final short[] links;

  private volatile int head = EMPTY;

  /**
   * Makes a list for slots below {@code capacity}, which is at most {@link Short#MAX_VALUE} + 1.
   */
  DeferredList(int capacity) {
    links = new short[capacity];
  }

  /**
   * Adds a slot that the caller has turned to "free, deferred". Lock-free; any thread.
   *
   * @return whether the holder asked for the page; the caller must post it
   */
  boolean push(int slot) {
    int seen;
    do {
      seen = (int) HEAD.getOpaque(this); // a guess: the compare-and-set validates it
      links[slot] = (short) Math.max(seen, NONE); // plain: published by the compare-and-set
    } while (!HEAD.compareAndSet(this, seen, slot));
    // Pairs with takeAll(): the holder sees the link, and the last use of the bytes, before it
    // hands the block out again.
    return seen == ASKED;
  }

  /**
   * Detaches all slots. The holder only.
   *
   * @return the first, to be followed by {@link #next}, or {@link #NONE}; a question stays asked
   */
  int takeAll() {
    if (head < 0) {
      return NONE; // no atomic operation in the common case; a later push counts as not seen
    }
    return (int) HEAD.getAndSet(this, EMPTY); // pairs with push()
  }

  /** The slot behind {@code slot} in a chain that {@link #takeAll()} detached, or {@link #NONE}. */
  int next(int slot) {
    return links[slot];
  }

  /**
   * Asks for the page to be posted after the next push. The holder only, and not while a question
   * is open.
   *
   * @return false if slots were pushed in the meantime: nobody will post the page, the holder takes
   *     them
   */
  boolean ask() {
    return HEAD.compareAndSet(this, EMPTY, ASKED);
  }

  /** Whether the question is open. For checks at rest. */
  boolean isAsked() {
    return head == ASKED;
  }

  /**
   * How many slots are deferred. Any thread: exact at rest, else a snapshot between 0 and the
   * capacity. A link that is read while others write is one of some time, and so within bounds.
   */
  int count() {
    int count = 0;
    for (int slot = head; slot >= 0 && count < links.length; slot = links[slot]) {
      count++;
    }
    return count;
  }
}
