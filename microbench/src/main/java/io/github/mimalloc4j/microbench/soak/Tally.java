package io.github.mimalloc4j.microbench.soak;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What all workers have done so far. Workers add to it batch by batch. Thread-safe. */
final class Tally {
  private final LongAdder[] byOperation = new LongAdder[Operation.values().length];
  private final LongAdder checkedBytes = new LongAdder();
  private final AtomicLong keptBytes = new AtomicLong();

  Tally() {
    for (int i = 0; i < byOperation.length; i++) {
      byOperation[i] = new LongAdder();
    }
  }

  /** Adds a batch's counts, by the operations' ordinals, and sets them to zero. */
  void addAndClear(int[] counts) {
    for (int i = 0; i < counts.length; i++) {
      byOperation[i].add(counts[i]);
      counts[i] = 0;
    }
  }

  void addChecked(long bytes) {
    checkedBytes.add(bytes);
  }

  void addKept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  long operations() {
    long sum = 0;
    for (LongAdder each : byOperation) {
      sum += each.sum();
    }
    return sum;
  }

  Map<Operation, Long> byOperation() {
    Map<Operation, Long> counts = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      counts.put(operation, byOperation[operation.ordinal()].sum());
    }
    return counts;
  }

  long checkedBytes() {
    return checkedBytes.sum();
  }

  /** The bytes that holdings keep, those of shared buffers once for each reference. */
  long keptBytes() {
    return keptBytes.get();
  }
}
