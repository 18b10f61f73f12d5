/**
 * The entry point of a thread-local slab allocator, modelled on mimalloc's published design
 * (Leijen, Zorn, de Moura: "Mimalloc: Free List Sharding in Action", 2019). Its blocks are Java
 * objects bound to a range of bytes. The allocator does not know what the blocks are: the caller
 * supplies them through a {@link io.github.mimalloc4j.core.heap.BlockFactory} and their memory
 * through a {@link io.github.mimalloc4j.core.memory.MemorySource}.
 *
 * <p>This package contains {@link io.github.mimalloc4j.core.BlockAllocator}, which assigns a thread
 * to a heap, and the classes that read a whole allocator: its figures and its invariants.
 * Everything public is for the module of the buffers only.
 *
 * <pre>
 *   core         BlockAllocator, ...  which heap serves a thread
 *     │
 *   core.heap    Heap, Page, ...      blocks, and who may touch them
 *     │
 *   core.memory  SegmentPool, ...     slices, and when memory goes back
 * </pre>
 *
 * <p>Dependencies only go downwards. {@link io.github.mimalloc4j.core.statistics} holds the figures
 * as plain values, which anybody may read.
 *
 * <h2>The life of a block</h2>
 *
 * <ol>
 *   <li>{@code BlockAllocator.acquire} or {@code SharedHeaps.allocate} assigns the thread to a
 *       heap.
 *   <li>{@code Heap.allocate} pops a block of the page at the head of its bin's queue. If there is
 *       none, {@code HeapPages.refill} collects what other threads released, creates more blocks,
 *       or adds a page, whose run {@code SegmentPool.claim} finds, if necessary after {@code
 *       PageStealer} took idle pages.
 *   <li>The owner's {@code Heap.release} pushes the block on its page's stack, and so does {@code
 *       Heap.releaseIfBiased} in a shared heap. Any other thread's {@code Heap.releaseDeferred}
 *       pushes it on the page's {@code DeferredList} and, if the holder asked for that, posts the
 *       page in the {@code Mailbox}; {@code HeapPages.drain} collects it.
 *   <li>A page without a block in use joins the {@code RetiredPages}. {@code HeapPages.trim}, or an
 *       allocation that needs the room, gives it back: {@code Run.release}.
 *   <li>{@code SegmentPool.purgeIdle} frees segments of which no slice is claimed.
 * </ol>
 *
 * <h2>Room for a page</h2>
 *
 * <p>{@code PageRoom.claim} tries these in turn, cheaper ones first:
 *
 * <ol>
 *   <li>a gap in a segment: {@code SegmentPool.claimExisting};
 *   <li>the room of the heap's own retired pages, then of pages that {@code PageStealer} takes from
 *       any heap, unless a small heap has done so often;
 *   <li>a gap for the smallest page;
 *   <li>what is free once the heap has given back the large page that it keeps, and the shared
 *       heaps were trimmed a little: {@code SegmentPool.claim}, which otherwise obtains a segment.
 * </ol>
 *
 * <p>If there is no memory, the heap trims itself and has {@code HeapEnvironment} trim what no
 * thread owns and have the owners asked to trim. If that has given the bin no block, whatever can
 * be stolen is, and the smallest page will do. If that fails, too, a thread without a heap takes a
 * free block of any shared heap. {@code LargePages} does much the same for a block that shares no
 * page, unless it is larger than all memory that there can be. A {@code SearchBudget} limits how
 * often failing allocations look at all pages or segments, where there are many.
 *
 * <h2>Access modes</h2>
 *
 * <p>In all three packages, VarHandles are private to the class of their field. An accessor weaker
 * than volatile has its mode in its name ({@code readAcquire}).
 */
@NullMarked
package io.github.mimalloc4j.core;

import org.jspecify.annotations.NullMarked;
