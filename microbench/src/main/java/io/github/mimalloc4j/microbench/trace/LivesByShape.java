package io.github.mimalloc4j.microbench.trace;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buffers in use whose address is not known: a release is assigned to one that the releasing
 * thread allocated, the most recent one of that shape and size, or to the oldest one of another
 * thread. Buffers of the same shape are the same to an allocator, so what may be wrong is who
 * released which and how long it lived, not what was allocated and released.
 */
final class LivesByShape {
  /** How many buffers are looked at for one of the very size. */
  private static final int LOOKED_AT = 64;

  private final Map<Integer, Map<Integer, ArrayDeque<Life>>> byShape = new HashMap<>();
  private int count;

  void add(int shape, Life life) {
    byShape
        .computeIfAbsent(shape, unknown -> new LinkedHashMap<>())
        .computeIfAbsent(life.lastThread, unknown -> new ArrayDeque<>())
        .addLast(life);
    count++;
  }

  int count() {
    return count;
  }

  /** Takes one out; null if there is none. */
  @Nullable Life take(int shape, int size, int thread) {
    Map<Integer, ArrayDeque<Life>> byThread = byShape.get(shape);
    if (byThread == null || byThread.isEmpty()) {
      return null;
    }
    ArrayDeque<Life> own = byThread.get(thread);
    Life taken;
    if (own != null) {
      taken = takeOwn(own, size);
      removeIfEmpty(byThread, thread, own);
    } else {
      Map.Entry<Integer, ArrayDeque<Life>> other =
          byThread.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().getFirst().since))
              .orElseThrow();
      taken = other.getValue().removeFirst();
      removeIfEmpty(byThread, other.getKey(), other.getValue());
    }
    count--;
    return taken;
  }

  private static void removeIfEmpty(
      Map<Integer, ArrayDeque<Life>> byThread, Integer thread, ArrayDeque<Life> lives) {
    if (lives.isEmpty()) {
      byThread.remove(thread);
    }
  }

  private static Life takeOwn(ArrayDeque<Life> own, int size) {
    Iterator<Life> latestFirst = own.descendingIterator();
    for (int i = 0; i < LOOKED_AT && latestFirst.hasNext(); i++) {
      Life life = latestFirst.next();
      if (life.size == size) {
        latestFirst.remove();
        return life;
      }
    }
    return own.removeLast(); // it grew in the memory that it had
  }
}
