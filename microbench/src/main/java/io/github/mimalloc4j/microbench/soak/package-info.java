/**
 * The command {@code soak}: whether an allocator stays sound under everything that programs do with
 * it at once, for as long as one likes.
 *
 * <p>Threads of all kinds live {@link io.github.mimalloc4j.microbench.soak.Lives lives}: each has a
 * {@link io.github.mimalloc4j.microbench.soak.Worker} that draws one {@link
 * io.github.mimalloc4j.microbench.soak.Operation} after the other, and ends with live buffers that
 * others go on with. Each buffer carries a {@link io.github.mimalloc4j.microbench.soak.Stamp} of
 * its identity over its whole length. Whoever may use a buffer has a {@link
 * io.github.mimalloc4j.microbench.soak.Holding} of it, one reference each. {@link
 * io.github.mimalloc4j.microbench.soak.Soak} starts the threads, brings them all to a {@link
 * io.github.mimalloc4j.microbench.soak.Standstill} from time to time, and looks at the allocator
 * while nothing moves.
 */
@NullMarked
package io.github.mimalloc4j.microbench.soak;

import org.jspecify.annotations.NullMarked;
