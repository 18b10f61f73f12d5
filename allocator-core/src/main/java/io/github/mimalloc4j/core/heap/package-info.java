/**
 * Heaps: the pages that threads take blocks from, and the ways in which blocks come back to them.
 * {@link io.github.mimalloc4j.core.BlockAllocator} creates heaps and assigns them to threads. A
 * heap's owner calls {@link io.github.mimalloc4j.core.heap.Heap#release}, any other thread {@link
 * io.github.mimalloc4j.core.heap.Heap#releaseIfBiased} and, if that fails, {@link
 * io.github.mimalloc4j.core.heap.Heap#releaseDeferred}. Nobody else touches what is inside.
 *
 * <h2>Vocabulary</h2>
 *
 * <dl>
 *   <dt>block
 *   <dd>the unit handed out: an object bound to a range of bytes; its index in its page is a
 *       <i>slot</i>
 *   <dt>size class, bin
 *   <dd>a rounded size, and its index ({@link io.github.mimalloc4j.core.heap.SizeClasses})
 *   <dt>page
 *   <dd>a run divided into blocks of one size ({@link io.github.mimalloc4j.core.heap.Page})
 *   <dt>heap
 *   <dd>the pages that one thread at a time allocates from ({@link
 *       io.github.mimalloc4j.core.heap.Heap}): <i>owned</i> by a thread, <i>shared</i> under a
 *       try-lock, or <i>abandoned</i> by a thread that ended and waiting to be <i>adopted</i>
 *   <dt>deferred list
 *   <dd>a page's list of blocks that were released by threads that do not own it, or with several
 *       references at once
 *   <dt>ask, post, mail
 *   <dd>the holder <i>asks</i> for a page in its deferred list; the next release there <i>posts</i>
 *       the page in the heap's {@link io.github.mimalloc4j.core.heap.Mailbox}; pages that were
 *       taken out of it and not looked at yet are <i>mail</i>
 *   <dt>collect
 *   <dd>move deferred blocks to the free stack
 *   <dt>uncollected
 *   <dd>a page whose blocks are all deferred and that is queued as it is; it is collected when its
 *       turn comes, unless it is stolen before that
 *   <dt>exhausted
 *   <dd>a page with nothing to hand out; it is in no queue
 *   <dt>steal
 *   <dd>take a page whose blocks are all deferred, of any heap ({@link
 *       io.github.mimalloc4j.core.heap.PageStealer})
 *   <dt>retire
 *   <dd>keep an empty page for a while before its slices are given back
 *   <dt>gone
 *   <dd>a page that its heap has given back, or found stolen, and forgotten
 *   <dt>large page, kept, huge
 *   <dd>a page of one block above the size classes ({@link
 *       io.github.mimalloc4j.core.heap.LargePages}); a heap may have <i>kept</i> the last one, of
 *       at most 1 MiB, that its owner released; a <i>huge</i> block has a segment to itself
 *   <dt>trim
 *   <dd>collect what was deferred in all pages of a heap, and give the empty ones back
 *   <dt>portion
 *   <dd>a unit of work of a trim, or on mail: about 50 microseconds
 *   <dt>upkeep
 *   <dd>trims and purges that run on an executor a while after they were requested ({@link
 *       io.github.mimalloc4j.core.heap.Upkeep})
 *   <dt>bias
 *   <dd>of a shared heap to the thread that allocated there last, which then releases its blocks
 *       without deferring them
 * </dl>
 *
 * <h2>Ownership</h2>
 *
 * <p>A heap is <i>held</i> by the thread that owns it or, if it has no owner, by the thread that
 * has its lock. Only the holder touches a heap and its pages, except for what the table in {@code
 * docs/synchronization.md} lists. Methods that only the holder may call say so.
 */
@NullMarked
package io.github.mimalloc4j.core.heap;

import org.jspecify.annotations.NullMarked;
