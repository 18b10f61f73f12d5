package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.SegmentPool;

/**
 * What all heaps of one memory source share.
 *
 * @param pool supplies the slices of pages
 * @param large supplies the blocks that share no page
 * @param factory creates the blocks
 * @param stealer takes idle pages of any heap; called by a heap that found no room for a page
 * @param environment the allocator, for what concerns more than one heap
 * @param trimDelayMillis the delay from a reason to trim a heap to the trim; 0 if heaps are never
 *     trimmed
 * @param trimPortion how much work a trim does before other threads get their turn, 1 or more. One
 *     unit is a page that is looked at, or a block that is collected; giving a page back counts as
 *     16 and, if its blocks forget their memory, one for each of them
 * @param upkeepOfUnowned the upkeep of everything that no thread owns
 */
public record HeapResources<B extends Block>(
    SegmentPool pool,
    LargePages<B> large,
    BlockFactory<B> factory,
    PageStealer stealer,
    HeapEnvironment environment,
    long trimDelayMillis,
    int trimPortion,
    Upkeep upkeepOfUnowned) {

  /** The usual portion: about 50 microseconds, and at most 100. */
  public static final int TRIM_PORTION = 1024;
}
