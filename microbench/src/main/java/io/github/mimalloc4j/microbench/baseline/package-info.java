/**
 * The floor of what is possible: ready-made buffers on array stacks, one set of stacks a thread.
 *
 * <p>It does what every pooled buffer has to do (find the thread, count references, reset indexes)
 * and no more. It is an instrument, not an allocator to use: sizes are rounded up to powers of two,
 * and no memory is ever given back or moved to another thread.
 */
@NullMarked
package io.github.mimalloc4j.microbench.baseline;

import org.jspecify.annotations.NullMarked;
