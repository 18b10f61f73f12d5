package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.SegmentPool;

/**
 * What all heaps of one memory source have in common.
 *
 * @param pool where pages get their slices
 * @param large where blocks come from that share no page
 * @param factory makes the blocks
 * @param none a page that never has anything to hand out
 * @param makeRoom trims a portion of the shared heaps; called by a heap that found no room for a
 *     page, before it has another segment obtained
 * @param trimOthers trims other heaps and purges the pool; called by a heap that found no memory
 *     and has trimmed itself
 * @param trimDelayMillis how long after a reason for it a heap is trimmed; 0 if it never is
 * @param trimPortion how much work a trim does before others get their turn, 1 or more. A unit is a
 *     page that is looked at, or a block that is collected; giving a page back counts as 16
 * @param upkeep the upkeep of all that no thread owns
 * @param listener is told of users' mistakes
 */
public record HeapResources<B extends Block>(
    SegmentPool pool,
    LargePages<B> large,
    BlockFactory<B> factory,
    Page<B> none,
    Runnable makeRoom,
    Runnable trimOthers,
    long trimDelayMillis,
    int trimPortion,
    Upkeep upkeep,
    HeapListener listener) {

  /** The usual portion: some 50 microseconds, and 100 at most. */
  public static final int TRIM_PORTION = 1024;

  /** With a page of its own for {@code none}. */
  public HeapResources(
      SegmentPool pool,
      LargePages<B> large,
      BlockFactory<B> factory,
      Runnable makeRoom,
      Runnable trimOthers,
      long trimDelayMillis,
      int trimPortion,
      Upkeep upkeep,
      HeapListener listener) {
    this(
        pool,
        large,
        factory,
        Page.none(),
        makeRoom,
        trimOthers,
        trimDelayMillis,
        trimPortion,
        upkeep,
        listener);
  }
}
