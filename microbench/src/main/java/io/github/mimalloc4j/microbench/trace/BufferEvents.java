package io.github.mimalloc4j.microbench.trace;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of buffers that a recording has, in as little memory as that takes: 32 bytes each, in
 * blocks, so that nothing is copied as they grow.
 */
final class BufferEvents {
  /** What happened. */
  enum Kind {
    ALLOCATE,
    FREE,
    REALLOCATE
  }

  /** What does not change while a buffer stays in the memory that it has. */
  private record Shape(int allocator, boolean direct, int maxFastCapacity, int maxCapacity) {}

  private static final Kind[] KINDS = Kind.values();
  private static final int KIND_BITS = 2;
  private static final int BLOCK_BITS = 12;

  // Where an event has what, in bytes.
  private static final int TIME = 0;
  private static final int ADDRESS = 8;
  private static final int THREAD = 16;
  private static final int SIZE = 20;
  private static final int NEW_CAPACITY = 24;
  private static final int SHAPE_AND_KIND = 28;
  private static final int EVENT_BITS = 5;

  private final List<ByteBuffer> blocks = new ArrayList<>();
  private int count;

  private final Map<Shape, Integer> numbersOfShapes = new HashMap<>();
  private final List<Shape> shapes = new ArrayList<>();
  private final List<String> allocators = new ArrayList<>();

  /** Adds an event, the time of which is in nanoseconds since 1970. */
  void add(
      Kind kind,
      long time,
      int thread,
      String allocator,
      boolean direct,
      long address,
      int size,
      int newCapacity,
      int maxFastCapacity,
      int maxCapacity) {
    if (!allocators.contains(allocator)) {
      allocators.add(allocator);
    }
    int shape =
        numbersOfShapes.computeIfAbsent(
            new Shape(allocators.indexOf(allocator), direct, maxFastCapacity, maxCapacity),
            added -> {
              shapes.add(added);
              return shapes.size() - 1;
            });
    if (count >> BLOCK_BITS == blocks.size()) {
      blocks.add(ByteBuffer.allocate(1 << BLOCK_BITS + EVENT_BITS));
    }
    block(count++)
        .putLong(time)
        .putLong(address)
        .putInt(thread)
        .putInt(size)
        .putInt(newCapacity)
        .putInt(shape << KIND_BITS | kind.ordinal());
  }

  private ByteBuffer block(int event) {
    return blocks.get(event >> BLOCK_BITS);
  }

  private static int place(int event) {
    return (event & (1 << BLOCK_BITS) - 1) << EVENT_BITS;
  }

  private int getInt(int event, int what) {
    return block(event).getInt(place(event) + what);
  }

  private long getLong(int event, int what) {
    return block(event).getLong(place(event) + what);
  }

  int count() {
    return count;
  }

  /**
   * The events in the order of time. Those of one thread at the same time stay as they are. A
   * recording is made of pieces, each of one thread and in order, which this sort makes use of.
   */
  int[] inOrderOfTime() {
    Integer[] order = new Integer[count];
    Arrays.setAll(order, event -> event);
    Arrays.sort(order, Comparator.comparingLong(this::time));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  List<String> allocators() {
    return allocators;
  }

  long time(int event) {
    return getLong(event, TIME);
  }

  Kind kind(int event) {
    return KINDS[getInt(event, SHAPE_AND_KIND) & (1 << KIND_BITS) - 1];
  }

  boolean direct(int event) {
    return shapes.get(shape(event)).direct();
  }

  /** Which of the allocators. */
  int allocator(int event) {
    return shapes.get(shape(event)).allocator();
  }

  int thread(int event) {
    return getInt(event, THREAD);
  }

  /** Where direct memory begins; 0 if the event does not tell. */
  long address(int event) {
    return getLong(event, ADDRESS);
  }

  /**
   * Puts what became of an event in the place of its address: the slot of the buffer in the lower
   * half, and what the buffer grew to in the memory that it got with this event in the upper half.
   */
  void setOutcome(int event, long outcome) {
    block(event).putLong(place(event) + ADDRESS, outcome);
  }

  long outcome(int event) {
    return getLong(event, ADDRESS);
  }

  int size(int event) {
    return getInt(event, SIZE);
  }

  int newCapacity(int event) {
    return getInt(event, NEW_CAPACITY);
  }

  /** Equal for events of the same allocator, kind of memory, and limits of growth. */
  int shape(int event) {
    return getInt(event, SHAPE_AND_KIND) >> KIND_BITS;
  }
}
