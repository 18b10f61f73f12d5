package io.github.mimalloc4j.microbench.trace;

import java.util.Arrays;

/**
 * Puts events in the order of time. A recording is made of pieces, each of one thread and in order,
 * so this is a merge sort of what is sorted already, from the bottom up. It is stable: events of
 * one thread at the same time stay as they are.
 */
final class TimeOrder {
  private final Columns.Longs times;

  private TimeOrder(Columns.Longs times) {
    this.times = times;
  }

  /** The indexes of the events, the earliest first. */
  static int[] of(Columns.Longs times) {
    return new TimeOrder(times).sorted();
  }

  private int[] sorted() {
    int count = times.size();
    int[] order = new int[count];
    int[] starts = new int[16];
    int runs = 0;
    for (int i = 0; i < count; i++) {
      order[i] = i;
      if (i == 0 || times.get(i) < times.get(i - 1)) {
        if (runs == starts.length) {
          starts = Arrays.copyOf(starts, 2 * runs);
        }
        starts[runs++] = i;
      }
    }
    int[] other = runs > 1 ? new int[count] : order;
    while (runs > 1) {
      int merged = 0;
      for (int run = 0; run < runs; run += 2) {
        int from = starts[run];
        int middle = run + 1 < runs ? starts[run + 1] : count;
        int to = run + 2 < runs ? starts[run + 2] : count;
        merge(order, other, from, middle, to);
        starts[merged++] = from;
      }
      runs = merged;
      int[] swapped = order;
      order = other;
      other = swapped;
    }
    return order;
  }

  private void merge(int[] source, int[] target, int from, int middle, int to) {
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft =
          right >= to || (left < middle && times.get(source[left]) <= times.get(source[right]));
      target[i] = takeLeft ? source[left++] : source[right++];
    }
  }
}
