/**
 * Benchmarks of mimalloc4j and its peers, a comparison that runs them, a real HTTP server to put
 * under load with any of the allocators, and a run that shows what they hold over time.
 *
 * <p>{@link io.github.mimalloc4j.microbench.Main} is the entry point of the benchmark jar. The
 * bodies that are measured are JMH benchmarks; the commands drive those instead of having loops of
 * their own, so that a figure in a table and a figure of JMH are the same thing.
 */
@NullMarked
package io.github.mimalloc4j.microbench;

import org.jspecify.annotations.NullMarked;
