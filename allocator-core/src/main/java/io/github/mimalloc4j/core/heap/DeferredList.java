package io.github.mimalloc4j.core.heap;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slots of a page that other threads released, or anybody with several references at once: a
 * Treiber stack of slot numbers. Any thread pushes; the holder of the page's heap takes all at
 * once. (R. K. Treiber, "Systems programming: coping with parallelism", 1986.)
 *
 * <p>The head can also carry a question: a holder that finds its page exhausted {@linkplain #ask()
 * asks} for the page to be posted in the {@link Mailbox} after the next push.
 *
 * <pre>
 *          push: s                                 push: s, "post the page"
 *   EMPTY ─────────────────────▶ s ◀──────────────────────────────────────── ASKED
 *     ▲  ◀───────────────────────┤                                             ▲
 *     │          takeAll         │▲                                            │
 *     │                    steal ││ restore, if the thief was wrong             │
 *     │                          ▼│                                            │
 *     │                       STOLEN                                           │
 *     └────────────────────────────────── ask ─────────────────────────────────┘
 * </pre>
 *
 * <p>Only a list of all slots that there can be is stolen. The head is one number: how often a
 * chain was detached or a theft was taken back (32 bits), the count of the slots in the chain (16
 * bits), and the first of them or one of the other states (16 bits).
 *
 * <p>Chains are only ever detached whole, so there is no ABA. The links are an array rather than
 * fields of the blocks, so that a block that was released twice cannot break the list of another
 * page.
 */
final class DeferredList {

  /** The end of a chain. {@link #takeAll()} returns it when nothing was deferred. */
  static final int NONE = -1;

  /** {@link #stampIfFull()} returns it unless all slots are deferred. */
  static final long NOT_FULL = -1;

  private static final int ASKED = -2;
  private static final int STOLEN = -3;

  private static final long TOP_MASK = 0xFFFF;
  private static final int COUNT_SHIFT = 16;
  private static final int COUNT_MASK = 0xFFFF;
  private static final int DETACHED_SHIFT = 32;

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(DeferredList.class, "head", long.class);
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

  private volatile long head = withTop(0, NONE);

  /** Creates a list for slots below {@code capacity}, at most {@link Short#MAX_VALUE} + 1. */
  DeferredList(int capacity) {
    links = new short[capacity];
  }

  /**
   * Adds a slot whose block the caller has turned to "free, deferred". Lock-free; any thread. Does
   * nothing if the page was stolen: the block was released twice then.
   *
   * @return whether the holder asked for the page; if so, the caller must post it
   */
  boolean push(int slot) {
    long seen;
    int top;
    do {
      seen = (long) HEAD.getOpaque(this); // a guess: the compare-and-set validates it
      top = top(seen);
      if (top == STOLEN) {
        return false;
      }
      links[slot] = (short) Math.max(top, NONE); // plain: published by the compare-and-set
    } while (!HEAD.compareAndSet(this, seen, withTop(seen + (1L << COUNT_SHIFT), slot)));
    // Pairs with takeAll() and steal(): the holder sees the link, and the last use of the bytes,
    // before it hands the block out again.
    return top == ASKED;
  }

  /**
   * Detaches all slots. An open question stays open. Holder only.
   *
   * @return the first slot, to be followed by {@link #next}, or {@link #NONE}
   */
  int takeAll() {
    long seen;
    do {
      seen = head;
      if (top(seen) < 0) {
        return NONE; // no atomic operation in the common case; a later push counts as not seen
      }
    } while (!HEAD.compareAndSet(this, seen, emptyAfter(seen))); // pairs with push()
    return top(seen);
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
   *     must take them
   */
  boolean ask() {
    long seen = head;
    return top(seen) == NONE && HEAD.compareAndSet(this, seen, withTop(seen, ASKED));
  }

  /** Returns whether the question is open. Only the holder opens it; any releaser may close it. */
  boolean isAsked() {
    return top(head) == ASKED;
  }

  /**
   * Returns a stamp for {@link #steal} if all slots that there can be are deferred, else {@link
   * #NOT_FULL}. Any thread.
   */
  long stampIfFull() {
    long seen = head;
    return top(seen) >= 0 && count(seen) == links.length ? seen : NOT_FULL;
  }

  /**
   * Takes the page away from its holder, if no slot was pushed or taken since the stamp was
   * obtained. Any thread.
   */
  boolean steal(long stamp) {
    return HEAD.compareAndSet(this, stamp, withTop(stamp, STOLEN)); // pairs with push()
  }

  /** Undoes {@link #steal}. Only for the thread that has stolen the page with this stamp. */
  void restore(long stamp) {
    head = stamp + (1L << DETACHED_SHIFT); // no other thread writes to the head of a stolen page
  }

  /** Returns whether the page was stolen. Any thread. */
  boolean isStolen() {
    return top(head) == STOLEN;
  }

  /** Returns the number of deferred slots; all, if the page was stolen. Any thread. */
  int count() {
    return count(head);
  }

  private static int top(long head) {
    return (short) head;
  }

  private static int count(long head) {
    return (int) (head >>> COUNT_SHIFT) & COUNT_MASK;
  }

  private static long withTop(long head, int top) {
    return (head & ~TOP_MASK) | (top & TOP_MASK);
  }

  private static long emptyAfter(long head) {
    return withTop(((head >>> DETACHED_SHIFT) + 1) << DETACHED_SHIFT, NONE);
  }
}
