package io.github.mimalloc4j.microbench.soak;

import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where holdings pass from thread to thread. Thread-safe. */
final class HandOver {
  private static final int PLACES = 512;

  private final AtomicReferenceArray<@Nullable Holding> places = new AtomicReferenceArray<>(PLACES);

  /** What threads held that have ended. */
  private final Queue<Holding> leftBehind = new ConcurrentLinkedQueue<>();

  /** Puts a holding, or nothing, to a random place, and takes what was there. */
  @Nullable Holding exchange(SplittableRandom random, @Nullable Holding given) {
    return places.getAndSet(random.nextInt(PLACES), given);
  }

  void leaveBehind(Holding holding) {
    leftBehind.add(holding);
  }

  @Nullable Holding inherit() {
    return leftBehind.poll();
  }

  /** Shows all that is here; exact while no thread is at work. */
  void forEach(Consumer<Holding> action) {
    for (int i = 0; i < PLACES; i++) {
      Holding holding = places.get(i);
      if (holding != null) {
        action.accept(holding);
      }
    }
    leftBehind.forEach(action);
  }

  /** Takes anything that is here; null if there is nothing. While no thread is at work. */
  @Nullable Holding takeAny() {
    for (int i = 0; i < PLACES; i++) {
      Holding holding = places.getAndSet(i, null);
      if (holding != null) {
        return holding;
      }
    }
    return leftBehind.poll();
  }
}
