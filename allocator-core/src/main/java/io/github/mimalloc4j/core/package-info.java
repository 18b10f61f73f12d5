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
 * <p>Calls and dependencies only go downwards. {@link io.github.mimalloc4j.core.statistics} holds
 * the figures as plain values, which anybody may read.
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
 * <h2>Access modes</h2>
 *
 * <p>In all three packages, VarHandles are private to the class of their field. An accessor weaker
 * than volatile has its mode in its name ({@code readAcquire}).
 */
@NullMarked
package io.github.mimalloc4j.core;

import org.jspecify.annotations.NullMarked;
