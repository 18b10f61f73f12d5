/**
 * Memory: segments from a {@link io.github.mimalloc4j.core.memory.MemorySource}, the runs that are
 * claimed in them, and the return of free segments. Other packages claim a run from the {@link
 * io.github.mimalloc4j.core.memory.SegmentPool} and {@linkplain
 * io.github.mimalloc4j.core.memory.Run#release release} it; nobody else touches a segment. This
 * package is thread-safe, and does not know blocks, pages or heaps, but for one thing: runs are of
 * two kinds, for pages and for large blocks, which share no segment until memory runs out. {@code
 * Pause}, {@code SearchBudget} and {@code StackRoom} are here because the layers above need them,
 * too.
 *
 * <h2>Vocabulary</h2>
 *
 * <dl>
 *   <dt>slice, run, segment
 *   <dd>16 KiB ({@link io.github.mimalloc4j.core.memory.Slices}); adjacent slices claimed together;
 *       one piece of memory from the source, divided into slices
 *   <dt>gap, row
 *   <dd>adjacent free slices; the segments that have a gap of about one length, in the {@link
 *       io.github.mimalloc4j.core.memory.SegmentIndex}
 *   <dt>dedicated
 *   <dd>a segment for one run above the largest usual size
 *   <dt>tell
 *   <dd>bring the index up to date; the last claim in a list may stay <i>untold</i>
 *   <dt>cut short
 *   <dd>an operation in whose middle an error was thrown; the next search makes up for it
 *   <dt>purge
 *   <dd>claim a free segment whole, to give it back to its source or to move it to the other kind
 * </dl>
 */
@NullMarked
package io.github.mimalloc4j.core.memory;

import org.jspecify.annotations.NullMarked;
