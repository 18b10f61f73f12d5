package io.github.mimalloc4j.core;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapCounts;
import io.github.mimalloc4j.core.heap.UpkeepExecutor;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The heaps that a thread owns, or has owned and abandoned. An abandoned heap is adopted by the
 * next thread that needs one; once it has no pages, it is removed.
 *
 * <p>Thread-safe.
 */
final class OwnedHeaps<B extends Block> {

  private final AllocatorCounters counters;

  /** The array is replaced, never changed. */
  private final AtomicReference<Heap<B>[]> heaps = new AtomicReference<>(newArray(0));

  /** Creates an empty set. */
  OwnedHeaps(AllocatorCounters counters) {
    this.counters = counters;
  }

  Heap<B>[] all() {
    return requireNonNull(heaps.get());
  }

  void add(Heap<B> heap) {
    Heap<B>[] seen;
    do {
      seen = all();
    } while (!heaps.compareAndSet(seen, append(seen, heap)));
  }

  /** Makes a thread the owner of an abandoned heap; returns null if there is none. */
  @Nullable Heap<B> adopt(Thread thread, UpkeepExecutor executor) {
    for (Heap<B> heap : all()) {
      if (heap.adopt(thread, executor)) {
        counters.adopted();
        return heap;
      }
    }
    return null;
  }

  /**
   * Abandons the heaps of ended threads, and returns whether there were any. A thread-local that is
   * removed after ours may create a heap that nobody abandons: this method finds it.
   *
   * @param patiently whether to wait for a heap's lock. False for an allocation, whose thread may
   *     have other work
   */
  boolean abandonEnded(boolean patiently) {
    boolean found = false;
    for (Heap<B> heap : all()) {
      Thread owner = heap.owner();
      if (owner != null && !owner.isAlive()) {
        found = true;
        if (patiently) {
          heap.abandon(owner);
        } else {
          heap.tryAbandon(owner);
        }
      }
    }
    return found;
  }

  /** Returns whether an abandoned heap without pages is to be removed: a hint. */
  boolean haveEmpty() {
    for (Heap<B> heap : all()) {
      if (heap.owner() == null && heap.pageCount() == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Removes abandoned heaps without pages: there may have been thousands of threads. A heap whose
   * lock is taken is left: whoever trims it has it removed afterwards.
   */
  void discardEmpty() {
    Heap<B>[] seen;
    Heap<B>[] kept;
    HeapCounts discarded;
    do {
      seen = all();
      kept = newArray(seen.length);
      discarded = HeapCounts.NONE;
      int count = 0;
      for (Heap<B> heap : seen) {
        if (heap.discard()) {
          discarded = discarded.plus(heap.counts());
        } else {
          kept[count++] = heap;
        }
      }
      if (count == seen.length) {
        return;
      }
      kept = Arrays.copyOf(kept, count);
    } while (!heaps.compareAndSet(seen, kept));
    counters.discarded(discarded);
  }

  /** Asks all owners to trim their heaps. */
  void trimSoon() {
    for (Heap<B> heap : all()) {
      if (heap.owner() != null) {
        heap.trimSoon();
      }
    }
  }

  static <B extends Block> Heap<B>[] append(Heap<B>[] heaps, Heap<B> heap) {
    Heap<B>[] longer = Arrays.copyOf(heaps, heaps.length + 1);
    longer[heaps.length] = heap;
    return longer;
  }

  @SuppressWarnings("unchecked") // filled with Heap<B> only
  private static <B extends Block> Heap<B>[] newArray(int length) {
    return (Heap<B>[]) new Heap<?>[length];
  }
}
