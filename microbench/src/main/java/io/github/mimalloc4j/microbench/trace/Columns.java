package io.github.mimalloc4j.microbench.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * Growing columns of numbers. They grow by blocks, so that nothing is copied and no more than a
 * block is unused: recordings of tens of millions of events are read in small Java heaps.
 */
final class Columns {
  private static final int BLOCK_BITS = 16;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int MASK = BLOCK - 1;

  private Columns() {}

  static final class Longs {
    private final List<long[]> blocks = new ArrayList<>();
    private int size;

    void add(long value) {
      if ((size & MASK) == 0) {
        blocks.add(new long[BLOCK]);
      }
      blocks.get(size >> BLOCK_BITS)[size & MASK] = value;
      size++;
    }

    long get(int index) {
      return blocks.get(index >> BLOCK_BITS)[index & MASK];
    }

    void set(int index, long value) {
      blocks.get(index >> BLOCK_BITS)[index & MASK] = value;
    }

    int size() {
      return size;
    }
  }

  static final class Ints {
    private final List<int[]> blocks = new ArrayList<>();
    private int size;

    void add(int value) {
      if ((size & MASK) == 0) {
        blocks.add(new int[BLOCK]);
      }
      blocks.get(size >> BLOCK_BITS)[size & MASK] = value;
      size++;
    }

    int get(int index) {
      return blocks.get(index >> BLOCK_BITS)[index & MASK];
    }

    void set(int index, int value) {
      blocks.get(index >> BLOCK_BITS)[index & MASK] = value;
    }
  }
}
