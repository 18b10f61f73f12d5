package io.github.mimalloc4j.microbench.soak;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What all workers have done so far. Workers add to it batch by batch. Thread-safe. */
final class Tally {
  private final AtomicLongArray byOperation = new AtomicLongArray(Operation.values().length);
  private final AtomicLong checkedBytes = new AtomicLong();
  private final AtomicLong keptBytes = new AtomicLong();

  /** Adds a batch's counts, by the operations' ordinals, and sets them to zero. */
  void addAndClear(int[] counts, long checked) {
    for (int i = 0; i < counts.length; i++) {
      byOperation.addAndGet(i, counts[i]);
    }
    Arrays.fill(counts, 0);
    checkedBytes.addAndGet(checked);
  }

  void addKept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  long operations() {
    return byOperation().values().stream().mapToLong(Long::longValue).sum();
  }

  Map<Operation, Long> byOperation() {
    Map<Operation, Long> counts = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      counts.put(operation, byOperation.get(operation.ordinal()));
    }
    return counts;
  }

  long checkedBytes() {
    return checkedBytes.get();
  }

  /** The bytes that holdings keep, those of shared buffers once for each reference. */
  long keptBytes() {
    return keptBytes.get();
  }
}
