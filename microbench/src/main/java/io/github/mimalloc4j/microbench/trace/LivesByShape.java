package io.github.mimalloc4j.microbench.trace;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The buffers in use whose address is not known. A release is assigned to one of the same shape and
 * size: the most recent one of the releasing thread, or the oldest one of another thread. If there
 * is none, the buffer has grown in the memory that it has: the next smaller one is taken.
 *
 * <p>Buffers of the same shape are the same to an allocator, so what may be wrong is who released
 * which and how long it lived, not what was allocated and released.
 */
final class LivesByShape {
  /** By shape, size and thread. None of the maps within the first is empty. */
  private final Map<Integer, NavigableMap<Integer, Map<Integer, ArrayDeque<Life>>>> lives =
      new HashMap<>();

  private int count;

  void add(int shape, Life life) {
    lives
        .computeIfAbsent(shape, unknown -> new TreeMap<>())
        .computeIfAbsent(life.size, unknown -> new LinkedHashMap<>())
        .computeIfAbsent(life.lastThread, unknown -> new ArrayDeque<>())
        .addLast(life);
    count++;
  }

  int count() {
    return count;
  }

  /** Takes one out; null if there is none. */
  @Nullable Life take(int shape, int size, int thread) {
    NavigableMap<Integer, Map<Integer, ArrayDeque<Life>>> bySize = lives.get(shape);
    if (bySize == null || bySize.isEmpty()) {
      return null;
    }
    Integer floor = bySize.floorKey(size);
    Integer found = floor != null ? floor : bySize.firstKey();
    Map<Integer, ArrayDeque<Life>> byThread = bySize.get(found);
    boolean own = byThread.containsKey(thread);
    Integer holder = own ? Integer.valueOf(thread) : ofTheOldest(byThread);
    ArrayDeque<Life> candidates = byThread.get(holder);
    Life taken = own ? candidates.removeLast() : candidates.removeFirst();
    if (candidates.isEmpty()) {
      byThread.remove(holder);
    }
    if (byThread.isEmpty()) {
      bySize.remove(found);
    }
    count--;
    return taken;
  }

  private static Integer ofTheOldest(Map<Integer, ArrayDeque<Life>> byThread) {
    return byThread.entrySet().stream()
        .min(Comparator.comparingLong(entry -> entry.getValue().getFirst().since))
        .map(Map.Entry::getKey)
        .orElseThrow();
  }
}
