package io.github.mimalloc4j.microbench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What a worker does in one step. */
enum Operation {
  ALLOCATE(16),
  /** Checks the whole stamp before. */
  RELEASE(16),
  /** Puts a holding where anybody may take it, and takes what was there. */
  HAND_OVER(7),
  TAKE_OVER(5),
  /** By {@code capacity(n)}. */
  GROW_CAPACITY(1),
  /** By writing beyond the capacity. */
  GROW_WRITING(1),
  /** By {@code ensureWritable}. */
  GROW_ENSURING(1),
  SHRINK(2),
  /** The slice is handed over at once. */
  SLICE(2),
  /** The duplicate is handed over at once. */
  DUPLICATE(1),
  RETAIN_RELEASE(4),
  COPY(1),
  /** Reads and writes through NIO views. */
  NIO_VIEW(3),
  /** Also what becomes of an operation that the drawn buffer is not fit for. */
  CHECK(4);

  private static final Operation[] WEIGHTED = weighted();

  private final int weight;

  Operation(int weight) {
    this.weight = weight;
  }

  static Operation draw(SplittableRandom random) {
    return WEIGHTED[random.nextInt(WEIGHTED.length)];
  }

  private static Operation[] weighted() {
    List<Operation> all = new ArrayList<>();
    for (Operation operation : values()) {
      for (int i = 0; i < operation.weight; i++) {
        all.add(operation);
      }
    }
    return all.toArray(Operation[]::new);
  }
}
