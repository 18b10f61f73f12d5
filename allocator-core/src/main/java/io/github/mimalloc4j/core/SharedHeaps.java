package io.github.mimalloc4j.core;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapResources;
import io.github.mimalloc4j.core.memory.Pause;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The heaps that threads without a heap of their own share under try-locks. Heaps are added as such
 * threads are found allocating at the same time.
 *
 * <p>Each thread begins with a heap of its own choice. If neither that heap nor another one is
 * free, the thread adds a heap. If there may be no more heaps, more threads than can run at once
 * are in the middle of an allocation, and the thread lets them continue. A free block in any of the
 * heaps is preferred to another page in one of them, unless the thread's own choice has had none
 * for long.
 *
 * <p>Thread-safe.
 */
final class SharedHeaps<B extends Block> {

  /**
   * Spreads the thread numbers, which are often consecutive: 2^64 divided by the golden ratio. The
   * high bits of consecutive multiples are as far apart as possible. (D. E. Knuth, The Art of
   * Computer Programming, volume 3, section 6.4.)
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /**
   * How often a thread pauses before it takes another page although a heap that another thread is
   * using may have a block: some tens of microseconds in all if no other thread wants the
   * processor. A thread never sleeps for that. The thread that uses the heap may have lost its
   * processor. If all others went to other heaps at once, each heap would come to need pages for
   * nearly all live blocks. Bounded, because the allocating thread may hold that lock itself: a
   * memory source may allocate.
   */
  private static final int MOST_WAITS = Pause.BEFORE_SLEEP;

  /**
   * How often a thread tries the lock of its own choice again while another thread visits it: about
   * the time of an allocation. If it visited another heap in turn, the blocks of both would mix.
   */
  private static final int MOST_SPINS = 8;

  /**
   * The maximum number of portions trimmed to make room for a page: about the work of a new
   * segment.
   */
  private static final int MOST_PORTIONS_FOR_ROOM = 8;

  /** A power of two, above the number of threads that run at once on most machines. */
  private static final int MOVES = 256;

  private final HeapResources<B> resources;
  private final int most;

  /** At least one heap. The array is replaced, never changed. */
  private final AtomicReference<Heap<B>[]> heaps;

  /**
   * How often a thread found its heap in use by another one that begins there too, and moved on to
   * the next heap, by the low bits of the thread's number: two threads that run at the same time
   * soon use different heaps. A hint, so plain: a lost update is one lost move. (As {@code
   * java.util.concurrent.atomic.Striped64} does with its cells.)
   */
  private final byte[] moves = new byte[MOVES];

  /**
   * Creates the first heap.
   *
   * @param most the maximum number of heaps, 1 or more
   */
  SharedHeaps(HeapResources<B> resources, int most) {
    this.resources = resources;
    this.most = most;
    @SuppressWarnings("unchecked") // filled with a Heap<B> only
    Heap<B>[] first = (Heap<B>[]) new Heap<?>[] {Heap.shared(resources)};
    heaps = new AtomicReference<>(first);
  }

  Heap<B>[] all() {
    return requireNonNull(heaps.get());
  }

  /**
   * Allocates a block.
   *
   * @param bytes the bytes that the block must hold, 0 to {@code SizeClasses.MAX_BLOCK_BYTES}
   * @throws OutOfMemoryError as {@link Heap#allocate} does, if no heap has a free block
   */
  B allocate(int bytes) {
    Heap<B>[] heaps = open();
    Heap<B> heap = heaps[choice(heaps.length)];
    try {
      B block = heap.tryAllocateAndBias(bytes);
      return block != null ? block : retry(heap, bytes);
    } catch (OutOfMemoryError e) {
      return allocateExisting(bytes, e);
    }
  }

  /** Takes a free block of any heap, since none can have another page. */
  private B allocateExisting(int bytes, OutOfMemoryError noPage) {
    for (Heap<B> heap : open()) {
      B block = heap.mayHave(bytes) || heap.isLocked() ? heap.tryAllocateExisting(bytes) : null;
      if (block != null) {
        return block;
      }
    }
    throw noPage;
  }

  /**
   * Returns the heaps, if the allocator is open. A heap that {@code close} misses was added after
   * it had closed the allocator, so whoever finds that heap here is refused (C1).
   */
  private Heap<B>[] open() {
    Heap<B>[] heaps = all();
    resources.environment().requireOpen(); // in this order
    return heaps;
  }

  /**
   * Tries the thread's own choice again for a moment if a visitor has the lock: a thread that looks
   * for a free block, or upkeep. If a thread has it that begins there too, the calling thread moves
   * on to the next heap, for good: both would meet here with each allocation.
   */
  private B retry(Heap<B> heap, int bytes) {
    for (int i = 0; i < MOST_SPINS && heap.isBiased() && heap.isLocked(); i++) {
      Pause.spin();
      B block = heap.tryAllocateAndBias(bytes);
      if (block != null) {
        return block;
      }
    }
    if (!heap.isBiased()) {
      moves[(int) Thread.currentThread().getId() & (MOVES - 1)]++;
    }
    return search(bytes);
  }

  private B search(int bytes) {
    boolean grow = false; // not before all heaps were asked for a free block
    for (int attempt = 0; ; attempt++) {
      Heap<B>[] heaps = open();
      int first = choice(heaps.length);
      int busy = 0;
      boolean worthWaiting = false;
      for (int i = 0; i < heaps.length; i++) {
        Heap<B> heap = heaps[(first + i) % heaps.length];
        if (i > busy && !grow && !heap.mayHave(bytes)) {
          continue; // unless it takes the place of a busy one: then it is asked for a first page
        }
        B block = heap.tryAllocate(bytes, grow);
        if (block != null) {
          return block;
        }
        if (heap.isLocked()) {
          busy++;
        }
        worthWaiting |= heap.mayHave(bytes); // also if it was busy just now
      }
      boolean allBusy = busy == heaps.length;
      if (!allBusy || !add(heaps)) {
        boolean wait = worthWaiting && attempt < MOST_WAITS;
        if (allBusy || grow || wait) {
          Pause.after(attempt);
        }
        grow = !wait;
      }
    }
  }

  private int choice(int heaps) {
    long thread = Thread.currentThread().getId();
    long spread = (thread * SPREAD) >>> 33; // 31 bits
    int first = (int) ((spread * heaps) >>> 31); // by the high bits, which differ most
    int moved = first + (moves[(int) thread & (MOVES - 1)] & 0xFF);
    return moved < heaps ? moved : moved % heaps; // mostly without a division
  }

  /** Adds a heap to those that the caller saw, unless another thread was faster. */
  private boolean add(Heap<B>[] seen) {
    if (seen.length == most) {
      return false;
    }
    heaps.compareAndSet(seen, OwnedHeaps.append(seen, Heap.shared(resources)));
    return true;
  }

  /**
   * Trims a little, for a heap that is about to obtain a segment. Blocks that other threads release
   * to a shared heap, even whole empty pages, stay uncollected until a thread allocates from the
   * same page, or upkeep runs.
   */
  void makeRoom() {
    Heap<B>[] heaps = all();
    int first = (int) (resources.pool().segmentsObtained() % heaps.length); // each in its turn
    int portions = 0;
    for (int i = 0; i < heaps.length && portions < MOST_PORTIONS_FOR_ROOM; i++) {
      Heap<B> heap = heaps[(first + i) % heaps.length];
      portions += heap.trimShared(MOST_PORTIONS_FOR_ROOM - portions);
    }
  }
}
