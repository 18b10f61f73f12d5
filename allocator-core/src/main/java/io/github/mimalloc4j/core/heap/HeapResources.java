package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.SegmentPool;

/**
 * What all heaps of one memory source have in common.
 *
 * @param pool where pages get their slices
 * @param large where blocks come from that share no page
 * @param factory makes the blocks
 * @param relief frees what it can of other heaps' and the pool's memory; called by a heap that
 *     found none and has trimmed itself
 * @param trimDelayMillis how long after a reason for it a heap is trimmed; 0 if it never is
 * @param upkeep the upkeep of all that no thread owns
 * @param listener is told of users' mistakes
 */
public record HeapResources<B extends Block>(
    SegmentPool pool,
    LargePages<B> large,
    BlockFactory<B> factory,
    Runnable relief,
    long trimDelayMillis,
    Upkeep upkeep,
    HeapListener listener) {}
