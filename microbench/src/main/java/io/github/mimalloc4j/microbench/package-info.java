/**
 * The entry point of the benchmark jar: commands of our own, and JMH for everything else.
 *
 * <p>The packages below are in three layers, and none uses one above it:
 *
 * <ul>
 *   <li>shared: {@code allocator} and its floor {@code baseline}, {@code trace}, {@code workload},
 *       {@code jvm}, {@code command}, {@code page}, {@code result}
 *   <li>JMH benchmarks by subject: {@code allocation}, {@code threads}, {@code access}, on top of
 *       {@code harness}
 *   <li>commands: {@code compare}, {@code footprint}, {@code latency}, {@code endtoend} on top of
 *       the servers and clients in {@code application}, {@code soak}, {@code replay}, {@code
 *       report}
 * </ul>
 *
 * <p>{@code compare} drives the benchmarks instead of having loops of its own, so that a figure in
 * its table and a figure of JMH are the same thing; the other commands use shared packages only.
 */
@NullMarked
package io.github.mimalloc4j.microbench;

import org.jspecify.annotations.NullMarked;
