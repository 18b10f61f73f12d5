package io.github.mimalloc4j.core;

/**
 * What all heaps of one memory source have in common.
 *
 * @param pool where pages get their slices
 * @param large where blocks come from that share no page
 * @param factory makes the blocks
 * @param relief frees what it can of other heaps' and the pool's memory; called by a heap that
 *     found none and has trimmed itself
 * @param listener is told of users' mistakes
 */
record HeapResources<B extends Block>(
    SegmentPool pool,
    LargePages<B> large,
    BlockFactory<B> factory,
    Runnable relief,
    HeapListener listener) {}
