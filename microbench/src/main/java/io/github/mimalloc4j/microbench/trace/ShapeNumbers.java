package io.github.mimalloc4j.microbench.trace;

import java.util.HashMap;
import java.util.Map;

/** Numbers, from 0 up, for the few shapes of buffers that a program has. */
final class ShapeNumbers {
  /** What does not change while a buffer stays in the memory that it has. */
  record Shape(int allocator, boolean direct, int maxFastCapacity, int maxCapacity) {}

  private final Map<Shape, Integer> numbers = new HashMap<>();

  int of(Shape shape) {
    Integer known = numbers.putIfAbsent(shape, numbers.size());
    return known == null ? numbers.size() - 1 : known;
  }
}
