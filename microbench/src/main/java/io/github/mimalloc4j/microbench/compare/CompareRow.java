package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocation.AllocateReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocationPatternBenchmark;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import java.util.LinkedHashMap;
import java.util.Map;

/** A row of the comparison: a benchmark with its parameters, the allocator aside. */
enum CompareRow {
  PATTERN_DIRECT(
      "S1",
      "8,192 live, direct",
      AllocationPatternBenchmark.class,
      BufferKind.DIRECT,
      "live",
      8192),
  PATTERN_HEAP(
      "S2", "8,192 live, heap", AllocationPatternBenchmark.class, BufferKind.HEAP, "live", 8192),
  CHURN_SMALL(
      "S4", "256 B, direct", AllocateReleaseBenchmark.class, BufferKind.DIRECT, "size", 256),
  CHURN_LARGE(
      "S4", "16,639 B, direct", AllocateReleaseBenchmark.class, BufferKind.DIRECT, "size", 16639);

  private final String id;
  private final String work;
  private final Class<?> benchmark;
  private final BufferKind kind;
  private final String parameter;
  private final int value;

  CompareRow(
      String id, String work, Class<?> benchmark, BufferKind kind, String parameter, int value) {
    this.id = id;
    this.work = work;
    this.benchmark = benchmark;
    this.kind = kind;
    this.parameter = parameter;
    this.value = value;
  }

  /** The target that this row is about. */
  String id() {
    return id;
  }

  /** What is measured, in words. */
  String work() {
    return work;
  }

  Class<?> benchmark() {
    return benchmark;
  }

  /** Values of all of the benchmark's parameters that differ from row to row. */
  Map<String, String> parameters(AllocatorKind allocator) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("allocator", allocator.name());
    all.put("kind", kind.name());
    all.put(parameter, Integer.toString(value));
    return all;
  }

  /**
   * Whether the benchmark keeps enough alive for a ratio of used to live memory to say anything.
   */
  boolean hasLiveSet() {
    return parameter.equals("live");
  }

  /** Arguments that make JMH measure this row alone, with its own, longer timings. */
  String jmhArguments(AllocatorKind allocator) {
    StringBuilder arguments = new StringBuilder(benchmark.getSimpleName());
    parameters(allocator)
        .forEach((name, value) -> arguments.append(" -p ").append(name + "=" + value));
    return arguments.toString();
  }
}
