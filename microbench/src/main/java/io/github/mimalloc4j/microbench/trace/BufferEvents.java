package io.github.mimalloc4j.microbench.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * The events of buffers that a recording has, in as little memory as that takes: 36 bytes each, and
 * 8 more while they are put in order.
 */
final class BufferEvents {
  /** What happened. */
  enum Kind {
    ALLOCATE,
    FREE,
    REALLOCATE
  }

  private static final Kind[] KINDS = Kind.values();
  private static final int KIND_BITS = 2;
  private static final int DIRECT = 1 << KIND_BITS;
  private static final int TYPE_SHIFT = KIND_BITS + 1;

  /** Nanoseconds since 1970. */
  final Columns.Longs times = new Columns.Longs();

  private final Columns.Longs addresses = new Columns.Longs();
  private final Columns.Ints what = new Columns.Ints();
  private final Columns.Ints threads = new Columns.Ints();
  private final Columns.Ints sizes = new Columns.Ints();
  private final Columns.Ints newCapacities = new Columns.Ints();
  private final Columns.Ints shapes = new Columns.Ints();

  /** What buffers have for all of their time in one place; the numbers are those of the column. */
  private final ShapeNumbers shapeNumbers = new ShapeNumbers();

  private final List<String> allocators = new ArrayList<>();

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
    int type = allocators.indexOf(allocator);
    if (type < 0) {
      type = allocators.size();
      allocators.add(allocator);
    }
    times.add(time);
    what.add(type << TYPE_SHIFT | (direct ? DIRECT : 0) | kind.ordinal());
    threads.add(thread);
    addresses.add(address);
    sizes.add(size);
    newCapacities.add(newCapacity);
    shapes.add(shapeNumbers.of(new ShapeNumbers.Shape(type, direct, maxFastCapacity, maxCapacity)));
  }

  int count() {
    return times.size();
  }

  List<String> allocators() {
    return allocators;
  }

  long time(int event) {
    return times.get(event);
  }

  Kind kind(int event) {
    return KINDS[what.get(event) & DIRECT - 1];
  }

  boolean direct(int event) {
    return (what.get(event) & DIRECT) != 0;
  }

  /** Which of the allocators. */
  int allocator(int event) {
    return what.get(event) >> TYPE_SHIFT;
  }

  int thread(int event) {
    return threads.get(event);
  }

  /** Where direct memory begins; 0 if the event does not tell. */
  long address(int event) {
    return addresses.get(event);
  }

  /**
   * Puts what became of an event in the place of its address: the slot of the buffer in the lower
   * half, and what the buffer grew to in the memory that it got with this event in the upper half.
   */
  void setOutcome(int event, long outcome) {
    addresses.set(event, outcome);
  }

  long outcome(int event) {
    return addresses.get(event);
  }

  int size(int event) {
    return sizes.get(event);
  }

  int newCapacity(int event) {
    return newCapacities.get(event);
  }

  /** Equal for events of the same allocator, kind of memory, and limits of growth. */
  int shape(int event) {
    return shapes.get(event);
  }
}
