/**
 * What the benchmarks share: how they are run and the way of an allocator from nothing to a steady
 * state and back ({@link io.github.mimalloc4j.microbench.harness.AllocatorBenchmark}), the
 * parameters of all of them ({@link io.github.mimalloc4j.microbench.harness.MeasuredAllocator}) and
 * the figures beside JMH's time ({@link
 * io.github.mimalloc4j.microbench.harness.SideResultsProfiler}).
 */
@NullMarked
package io.github.mimalloc4j.microbench.harness;

import org.jspecify.annotations.NullMarked;
