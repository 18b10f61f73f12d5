/**
 * Memory: segments from a {@link io.github.mimalloc4j.core.memory.MemorySource}, the runs that are
 * claimed in them, and when free segments go back. From outside, a run is claimed from the {@link
 * io.github.mimalloc4j.core.memory.SegmentPool} and {@linkplain
 * io.github.mimalloc4j.core.memory.Run#release released}; nobody else touches a segment. All of it
 * is thread-safe, and knows nothing of blocks, pages and heaps.
 *
 * <h2>Vocabulary</h2>
 *
 * <dl>
 *   <dt>slice, run, segment
 *   <dd>16 KiB ({@link io.github.mimalloc4j.core.memory.Slices}); adjacent slices claimed together;
 *       one piece of memory from the source, divided into slices
 *   <dt>purge
 *   <dd>give a free segment back to its source
 * </dl>
 */
@NullMarked
package io.github.mimalloc4j.core.memory;

import org.jspecify.annotations.NullMarked;
