/**
 * The command {@code latency}: how long single allocations and releases take, up to the rarest and
 * slowest of them.
 *
 * <p>{@link io.github.mimalloc4j.microbench.latency.LatencyCommand} starts a JVM for each subject
 * and round. Subjects are the allocators and a {@link
 * io.github.mimalloc4j.microbench.latency.LatencyRun#FLOOR floor}: the same run without
 * allocations. What the floor takes is the clock's part of every other figure, and its slowest
 * operations are what the machine does to any program. Nothing is subtracted from anything.
 *
 * <p>Times are those of an operation by itself, in nanoseconds. They are not waiting times of
 * requests: the next operation begins when the last one has ended, however late that is.
 */
@NullMarked
package io.github.mimalloc4j.microbench.latency;

import org.jspecify.annotations.NullMarked;
