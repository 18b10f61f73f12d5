package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.trace.ThreadRole;
import java.util.Arrays;

/** The operations of one thread of a replay, column by column. */
final class Lane {
  static final short NOBODY = -1;

  final int number;
  final ThreadRole role;
  final int size;

  /** The operation's number in the order of the recording. */
  final int[] orders;

  /** Since the recording began. */
  final long[] nanos;

  /** The ordinal number of the operation, and whether the memory is direct. */
  final byte[] what;

  /** Where the buffer is in the lane's table. */
  final int[] slots;

  final int[] sizes;

  /** The lane that the buffer comes from, and its number among those from there; or nobody. */
  final short[] from;

  final int[] arrivals;

  /** The lane that the buffer goes to afterwards; or nobody. */
  final short[] to;

  int count;
  int slotCount;

  /** How many of the first operations allocate buffers that were live before the recording. */
  int prologue;

  Lane(int number, ThreadRole role, int size) {
    this.number = number;
    this.role = role;
    this.size = size;
    orders = new int[size];
    nanos = new long[size];
    what = new byte[size];
    slots = new int[size];
    sizes = new int[size];
    from = new short[size];
    arrivals = new int[size];
    to = new short[size];
    Arrays.fill(from, NOBODY);
    Arrays.fill(to, NOBODY);
  }

  /** How many operations there are up to a time. */
  int countUpTo(long limit) {
    int operations = 0;
    while (operations < size && nanos[operations] <= limit) {
      operations++;
    }
    return operations;
  }
}
