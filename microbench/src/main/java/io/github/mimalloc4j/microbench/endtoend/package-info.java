/**
 * The command {@code end-to-end}: applications under load with each allocator in turn.
 *
 * <p>{@link io.github.mimalloc4j.microbench.endtoend.EndToEndCommand} measures in rounds. A round
 * starts a fresh server for each allocator, in a JVM of its own, and loads one at a time, in an
 * order that changes from round to round; an idle server takes only memory from the one under load.
 * Ratios are taken within a round, so that a disturbance of the machine affects all allocators. A
 * JVM is one sample, because the decisions of its compiler last as long as it runs: figures of the
 * same code differed by up to 15 %.
 *
 * <p>Each server is loaded twice. In the {@code ClosedLoop}, the server sets the pace, which shows
 * its throughput and costs. In the {@code OpenLoop}, a clock sets it, at a rate that all servers
 * sustain, which shows how long users wait.
 *
 * <p>{@link io.github.mimalloc4j.microbench.endtoend.ApplicationServerCommand} is what runs in a
 * server's JVM, and runs a server for any other load.
 */
@NullMarked
package io.github.mimalloc4j.microbench.endtoend;

import org.jspecify.annotations.NullMarked;
