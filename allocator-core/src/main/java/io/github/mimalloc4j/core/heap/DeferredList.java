package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slots of a page that other threads released: a Treiber stack of slot numbers. Any thread
 * pushes; the holder of the page's heap takes all at once. (R. K. Treiber, "Systems programming:
 * coping with parallelism", 1986.)
 *
 * <p>The head can also carry a question: a holder that finds its page exhausted {@linkplain #ask()
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
 * <p>Chains are only ever detached whole, so there is no ABA. The links are an array rather than
 * fields of the blocks, so that a block that was released twice cannot break the list of another
 * page.
 */
final class DeferredList {

  /** The end of a chain. {@link #takeAll()} returns it when nothing was deferred. */
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
   * The next slot of the chain, by slot. Allocated from the start, though many pages never need it:
   * if the first release from another thread had to allocate it, that release could run out of
   * memory.
   */
  private final short[] links;

  private volatile int head = EMPTY;

  /** Creates a list for slots below {@code capacity}, at most {@link Short#MAX_VALUE} + 1. */
  DeferredList(int capacity) {
    links = new short[capacity];
  }

  /**
   * Adds a slot whose block the caller has turned to "free, deferred". Lock-free; any thread.
   *
   * @return whether the holder asked for the page; if so, the caller must post it
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
   * Detaches all slots. An open question stays open. Holder only.
   *
   * @return the first slot, to be followed by {@link #next}, or {@link #NONE}
   */
  int takeAll() {
    if (head < 0) {
      return NONE; // no atomic operation in the common case; a later push counts as not seen
    }
    return (int) HEAD.getAndSet(this, EMPTY); // pairs with push()
  }

  /** Returns the slot after {@code slot} in a chain that was detached, or {@link #NONE}. */
  int next(int slot) {
    return links[slot];
  }

  /**
   * Asks for the page to be posted after the next push. Holder only, and only while no question is
   * open.
   *
   * @return false if slots were pushed in the meantime: nobody will post the page, and the holder
   *     takes them
   */
  boolean ask() {
    return HEAD.compareAndSet(this, EMPTY, ASKED);
  }

  /** Returns whether the question is open. For checks at rest. */
  boolean isAsked() {
    return head == ASKED;
  }

  /**
   * Returns the number of deferred slots. Any thread: exact at rest, else a snapshot between 0 and
   * the capacity. A link that is read while others write has an older or a newer value, and so is
   * within bounds.
   */
  int count() {
    int count = 0;
    for (int slot = head; slot >= 0 && count < links.length; slot = links[slot]) {
      count++;
    }
    return count;
  }
}
