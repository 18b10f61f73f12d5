/**
 * The command {@code latency}: how long single allocations and releases take, up to the slowest.
 *
 * <p>{@link io.github.mimalloc4j.microbench.latency.LatencyCommand} starts a JVM for each subject
 * and round. Subjects are the allocators and a {@link
 * io.github.mimalloc4j.microbench.latency.LatencyRun#NO_ALLOCATOR floor}: the same run without
 * allocations. The floor's time is the clock's share of every other figure, and its slowest
 * operations show pauses of the machine. It is not subtracted from other figures.
 *
 * <p>Times are those of single operations, in nanoseconds. They are not waiting times of requests:
 * each operation begins when the one before has ended, however late that is.
 */
@NullMarked
package io.github.mimalloc4j.microbench.latency;

import org.jspecify.annotations.NullMarked;
