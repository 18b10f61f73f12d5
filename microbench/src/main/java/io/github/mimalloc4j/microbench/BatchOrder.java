package io.github.mimalloc4j.microbench;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The order in which a batch of buffers is released. */
public enum BatchOrder {
  /** The first one first. */
  SAME,
  /** The last one first. */
  REVERSE,
  /** Any, the same each time. */
  RANDOM;

  private static final long SEED = 0x5EED_0041L;

  /** The indexes of a batch in this order. */
  int[] indexes(int batch) {
    List<Integer> indexes = IntStream.range(0, batch).boxed().collect(Collectors.toList());
    if (this == REVERSE) {
      Collections.reverse(indexes);
    } else if (this == RANDOM) {
      Collections.shuffle(indexes, new Random(SEED));
    }
    return indexes.stream().mapToInt(Integer::intValue).toArray();
  }
}
