package io.github.mimalloc4j.microbench.trace;

import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.collection.LongObjectMap;
import java.util.List;

/**
 * Finds out whether an allocator's events of allocations tell the right addresses.
 *
 * <p>Those of Netty's Pooled do not where it uses {@code Unsafe}: the event is made before the
 * buffer knows its new address, so it has the one that the object had the last time, or 0. Without
 * {@code Unsafe} they are right. A wrong address shows in allocations where a buffer is live, in
 * releases where none is, and in zeros.
 */
final class AddressTrust {
  private static final String POOLED = "PooledByteBufAllocator";

  /** Dropped events make contradictions, too, but few. */
  private static final double MOST_CONTRADICTIONS = 0.01;

  private static final Integer FREE = -1;

  private AddressTrust() {}

  /** By the allocator's number, whether its addresses are to be believed. */
  static boolean[] of(BufferEvents events, int[] order) {
    List<String> names = events.allocators();
    boolean[] trusted = new boolean[names.size()];
    for (int i = 0; i < trusted.length; i++) {
      trusted[i] = !names.get(i).endsWith("." + POOLED) || isConsistent(events, order, i);
    }
    return trusted;
  }

  private static boolean isConsistent(BufferEvents events, int[] order, int allocator) {
    LongObjectMap<Integer> shapes = new LongObjectHashMap<>();
    long seen = 0;
    long contradictions = 0;
    for (int event : order) {
      if (events.allocator(event) != allocator || !events.direct(event)) {
        continue;
      }
      long address = events.address(event);
      Integer last = shapes.get(address);
      seen++;
      if (events.kind(event) == BufferEvents.Kind.ALLOCATE) {
        contradictions += address == 0 || last != null && !last.equals(FREE) ? 1 : 0;
        shapes.put(address, Integer.valueOf(events.shape(event)));
      } else {
        contradictions += last != null && last != events.shape(event) ? 1 : 0;
        shapes.put(address, FREE);
      }
    }
    return contradictions <= MOST_CONTRADICTIONS * seen;
  }
}
