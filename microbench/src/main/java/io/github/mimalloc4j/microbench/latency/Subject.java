package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.util.Locale;

/** What a run measures, by its name in results: an allocator, or nothing at all. */
final class Subject {
  /** The run without allocations. */
  static final String FLOOR = "FLOOR";

  private Subject() {}

  static String of(AllocatorKind allocator) {
    return allocator.name();
  }

  static boolean isFloor(String subject) {
    return subject.equals(FLOOR);
  }

  static String label(String subject) {
    return subject.toLowerCase(Locale.ROOT);
  }
}
