package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBuf;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * All live buffers at one moment, and where they lie. A buffer's range reaches as far as it can
 * grow without moving, for these bytes are its own as well.
 */
final class LiveRegistry {
  /** Stands for the memory of all direct buffers. */
  private static final Object NATIVE = new Object();

  private static final long UNKNOWN = -1;

  private record Range(long start, long end, Holding holding) {}

  private final Set<Holding> roots = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Object, List<Range>> byMemory = new IdentityHashMap<>();
  private long bytes;
  private int unplaced;

  /** Adds the buffer that the holding is of, if it is not here yet. */
  void add(Holding holding) {
    Holding root = holding.root();
    if (!roots.add(root)) {
      return;
    }
    ByteBuf buffer = root.buffer();
    bytes += buffer.capacity();
    if (buffer.hasArray()) {
      addRange(buffer.array(), buffer.arrayOffset(), root);
      return;
    }
    long address = address(buffer);
    if (address != UNKNOWN) {
      addRange(NATIVE, address, root);
    } else {
      unplaced++;
    }
  }

  /**
   * Where a direct buffer's first byte lies, also where Netty does without addresses: the JDK tells
   * them from release 22 on, which is later than what this project is compiled for.
   */
  private static long address(ByteBuf buffer) {
    if (buffer.hasMemoryAddress()) {
      return buffer.memoryAddress();
    }
    if (Runtime.version().feature() < 22) {
      return UNKNOWN;
    }
    try {
      Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
      Object segment =
          segments
              .getMethod("ofBuffer", Buffer.class)
              .invoke(null, buffer.nioBuffer(0, buffer.capacity()));
      return (long) segments.getMethod("address").invoke(segment);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no address", e);
    }
  }

  private void addRange(Object memory, long start, Holding root) {
    int reach = reach(root.buffer());
    if (reach > 0) { // one without bytes would hide that those beside it overlap
      byMemory
          .computeIfAbsent(memory, any -> new ArrayList<>())
          .add(new Range(start, start + reach, root));
    }
  }

  /** The bytes up to which a buffer grows in its place. */
  private static int reach(ByteBuf buffer) {
    return Math.max(buffer.capacity(), buffer.writerIndex() + buffer.maxFastWritableBytes());
  }

  /** Checks that no two buffers share a byte. */
  void checkOverlaps() {
    for (List<Range> ranges : byMemory.values()) {
      ranges.sort(Comparator.comparingLong(Range::start).thenComparingLong(Range::end));
      for (int i = 1; i < ranges.size(); i++) {
        Range one = ranges.get(i - 1);
        Range next = ranges.get(i);
        if (next.start() < one.end()) {
          throw new SoakFailure(
              "two live buffers overlap",
              one.holding(),
              "from 0x%X to 0x%X\n  %s\n  from 0x%X to 0x%X"
                  .formatted(one.start(), one.end(), next.holding(), next.start(), next.end()));
        }
      }
    }
  }

  int buffers() {
    return roots.size();
  }

  long bytes() {
    return bytes;
  }

  /** How many buffers are here whose place nobody tells. */
  int unplaced() {
    return unplaced;
  }

  /** The sum of a function of each buffer's reach. */
  long sum(BufferKind kind, IntToLongFunction ofReach) {
    long sum = 0;
    for (Holding root : roots) {
      if (root.buffer().isDirect() == (kind == BufferKind.DIRECT)) {
        sum += ofReach.applyAsLong(reach(root.buffer()));
      }
    }
    return sum;
  }
}
