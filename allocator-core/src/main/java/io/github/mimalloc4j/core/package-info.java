/**
 * A thread-local slab allocator after mimalloc's published design (Leijen, Zorn, de Moura:
 * "Mimalloc: Free List Sharding in Action", 2019), for blocks that are Java objects bound to a
 * range of bytes. Nothing here knows what the blocks are: the caller supplies them through a {@link
 * io.github.mimalloc4j.core.BlockFactory} and their memory through a {@link
 * io.github.mimalloc4j.core.MemorySource}.
 *
 * <h2>Vocabulary</h2>
 *
 * <dl>
 *   <dt>block
 *   <dd>the unit handed out: an object bound to a range of bytes; its index in its page is a
 *       <i>slot</i>
 *   <dt>size class, bin
 *   <dd>a rounded size, and its index ({@link io.github.mimalloc4j.core.SizeClasses})
 *   <dt>page
 *   <dd>a run of equal-sized blocks ({@link io.github.mimalloc4j.core.Page})
 *   <dt>slice, run, segment
 *   <dd>16 KiB; adjacent slices claimed together; one piece of memory from the source, divided into
 *       slices
 *   <dt>heap
 *   <dd>the pages that one thread at a time allocates from ({@link
 *       io.github.mimalloc4j.core.Heap}): <i>owned</i> by a thread, <i>shared</i> under a try-lock,
 *       or <i>abandoned</i> by a thread that ended and waiting to be <i>adopted</i>
 *   <dt>deferred list
 *   <dd>a page's list of blocks that were released by threads that do not own it
 *   <dt>collect
 *   <dd>move deferred blocks to the free stack
 *   <dt>exhausted
 *   <dd>a page with nothing to hand out; it is in no queue
 *   <dt>retire
 *   <dd>keep an empty page for a while before its slices are given back
 *   <dt>purge
 *   <dd>give a free segment back to its source
 * </dl>
 *
 * <h2>Ownership</h2>
 *
 * <p>A heap is <i>held</i> by the thread that owns it or, if it has no owner, by the thread that
 * has its lock. Everything in a heap and its pages is touched by the holder alone, but for what the
 * table in {@code docs/synchronization.md} lists. Methods that only the holder may call say so.
 *
 * <h2>Access modes</h2>
 *
 * <p>VarHandles are private to the class of their field. An accessor weaker than volatile has its
 * mode in its name ({@code headOpaque}, {@code unlockRelease}).
 */
@NullMarked
package io.github.mimalloc4j.core;

import org.jspecify.annotations.NullMarked;
