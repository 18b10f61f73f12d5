/**
 * The command {@code soak}: tests an allocator with everything that programs do with it at the same
 * time, for as long as you like.
 *
 * <p>Threads of all kinds live {@link io.github.mimalloc4j.microbench.soak.Lives lives}: each has a
 * {@link io.github.mimalloc4j.microbench.soak.Worker} that draws one {@link
 * io.github.mimalloc4j.microbench.soak.Operation} after the other, and leaves live buffers that
 * others continue to use. Each buffer carries a {@link io.github.mimalloc4j.microbench.soak.Stamp}
 * of its identity over its whole length. Each user of a buffer has a {@link
 * io.github.mimalloc4j.microbench.soak.Holding} of it, with one reference. {@link
 * io.github.mimalloc4j.microbench.soak.Soak} starts the threads, brings them all to a {@link
 * io.github.mimalloc4j.microbench.soak.Standstill} from time to time, and inspects the allocator
 * while they are paused.
 */
@NullMarked
package io.github.mimalloc4j.microbench.soak;

import org.jspecify.annotations.NullMarked;
