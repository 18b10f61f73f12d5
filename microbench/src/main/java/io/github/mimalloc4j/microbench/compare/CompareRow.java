package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocation.AllocateReleaseBenchmark;
import io.github.mimalloc4j.microbench.allocation.AllocationPatternBenchmark;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A row of the comparison: a benchmark with its parameters, the allocator aside. */
enum CompareRow {
  PATTERN_DIRECT("S1", "8,192 live, direct", BufferKind.DIRECT, "live", 8192),
  PATTERN_HEAP("S2", "8,192 live, heap", BufferKind.HEAP, "live", 8192),
  CHURN_SMALL("S4", "256 B at once", BufferKind.DIRECT, "size", 256),
  CHURN_LARGE("S4", "16,639 B at once", BufferKind.DIRECT, "size", 16639);

  /** The target that this row is about. */
  final String id;

  final String work;

  /** Whether enough is alive for a ratio of used to live memory to say anything. */
  final boolean hasLiveSet;

  final Class<?> benchmark;
  private final BufferKind kind;
  private final String parameter;
  private final int value;

  CompareRow(String id, String work, BufferKind kind, String parameter, int value) {
    this.id = id;
    this.work = work;
    this.hasLiveSet = parameter.equals("live");
    this.benchmark = hasLiveSet ? AllocationPatternBenchmark.class : AllocateReleaseBenchmark.class;
    this.kind = kind;
    this.parameter = parameter;
    this.value = value;
  }

  /** Values of all of the benchmark's parameters that differ from row to row. */
  Map<String, String> parameters(AllocatorKind allocator) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("allocator", allocator.name());
    all.put("kind", kind.name());
    all.put(parameter, Integer.toString(value));
    return all;
  }

  /** Arguments that make JMH measure this row alone, with its own, longer timings. */
  String jmhArguments(AllocatorKind allocator) {
    return parameters(allocator).entrySet().stream()
        .map(each -> " -p " + each)
        .collect(Collectors.joining("", benchmark.getSimpleName(), ""));
  }
}
