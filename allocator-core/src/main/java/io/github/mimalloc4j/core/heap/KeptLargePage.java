package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.core.memory.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The large page that the owner of a heap released last, if it has at most {@link #MOST_BYTES}. The
 * next large block of that size is taken from it without a search for slices. The page goes back to
 * the pool when another one is kept, when the heap is trimmed, or when any thread needs memory.
 *
 * <p>{@link #keep} and {@link #clear} are for the heap's holder, and {@link #take(int)} for its
 * owner. Any thread may call {@link #take()} and the rest, to give the page back or to read
 * figures. The argument is in {@code docs/synchronization.md}, H9.
 */
final class KeptLargePage<B extends Block> {

  /** Larger pages are not kept: as much as most segments for large blocks have. */
  static final int MOST_BYTES = 1 << 20;

  private static final VarHandle CHANGES;

  static {
    try {
      CHANGES = MethodHandles.lookup().findVarHandle(KeptLargePage.class, "changes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The page that is kept, or was kept last. It stays here after it was taken, because to clear the
   * reference would cost a garbage collector's barrier. So its memory stays reachable until the
   * next page is kept or the heap is trimmed. Written by the holder only, while no page is kept.
   */
  private @Nullable Page<B> page;

  /** How often a page was kept or taken: odd while one is kept. Never repeats. */
  private volatile long changes;

  /** Takes the page if a block of just as many slices is requested; else returns null. */
  @Nullable Page<B> take(int bytes) {
    Page<B> page = this.page;
    boolean fits =
        page != null && page.blockBytes >= bytes && page.blockBytes - bytes < Slices.BYTES;
    return fits ? take() : null;
  }

  /** Takes the page; returns null if none is kept. */
  @Nullable Page<B> take() {
    long seen = changes;
    Page<B> page = this.page; // after the number, which did not change meanwhile if this succeeds
    return isKept(seen) && CHANGES.compareAndSet(this, seen, seen + 1) ? page : null;
  }

  /**
   * Keeps a page.
   *
   * @return the page that was kept until now, for the caller to give back; null if there was none
   */
  @Nullable Page<B> keep(Page<B> page) {
    Page<B> before = take();
    if (this.page != page) {
      this.page = page;
    }
    CHANGES.setRelease(this, changes + 1); // no other thread changes an even number
    return before;
  }

  /**
   * Takes the page, as {@link #take()} does, for the caller to give it back.
   *
   * @throws StackOverflowError if there is not enough stack for that: nobody would know of the page
   */
  @Nullable Page<B> takeToGiveBack() {
    if (kept() == null) {
      return null;
    }
    StackRoom.requireOwn();
    return take();
  }

  /** Takes the page, as {@link #takeToGiveBack()} does, and forgets it. */
  @Nullable Page<B> clear() {
    Page<B> before = takeToGiveBack();
    page = null;
    return before;
  }

  /** Returns the page that is kept; null if there is none. At rest exact, else a guess. */
  @Nullable Page<B> kept() {
    return isKept(changes) ? page : null;
  }

  /** Returns the bytes of the page that is kept. Exact at rest, else a snapshot. */
  int bytes() {
    Page<B> kept = kept();
    return kept == null ? 0 : kept.bytes();
  }

  private static boolean isKept(long changes) {
    return (changes & 1) != 0;
  }
}
