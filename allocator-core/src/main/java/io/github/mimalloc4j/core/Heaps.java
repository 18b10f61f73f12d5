package io.github.mimalloc4j.core;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of blocks in the memory of one source: its heaps, and the way from a thread to one
 * of them.
 *
 * <p>A thread that tells when it ends, and that can be reached until then, {@linkplain #acquire()
 * owns} a heap: it adopts an abandoned one if there is one. All other threads {@linkplain
 * #allocateShared share} a few heaps under try-locks.
 *
 * <p>Thread-safe.
 *
 * @param <B> the type of the blocks
 */
public final class Heaps<B extends Block> {

  private static final int SHARED_HEAPS_PER_PROCESSOR = 2;

  /**
   * Spreads the numbers of threads, which often run on by one: 2^64 divided by the golden ratio.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final HeapResources<B> resources;
  private final Page<B> none;
  private final int maxSharedHeaps;

  /** The heaps that are or were owned. The arrays are replaced, never changed. */
  private final AtomicReference<Heap<B>[]> owned = new AtomicReference<>(newArray(0));

  /** The heaps that are shared, at least one. The arrays are replaced, never changed. */
  private final AtomicReference<Heap<B>[]> shared = new AtomicReference<>(newArray(0));

  /**
   * Makes an allocator that has no memory yet.
   *
   * @param source where segments come from
   * @param sizing how large segments are
   * @param factory makes the blocks
   * @param listener is told of users' mistakes
   */
  public Heaps(
      MemorySource source, SegmentSizing sizing, BlockFactory<B> factory, HeapListener listener) {
    SegmentPool pool = new SegmentPool(source, sizing);
    resources =
        new HeapResources<>(pool, new LargePages<>(pool, factory), factory, this::trim, listener);
    none = Page.none();
    maxSharedHeaps = SHARED_HEAPS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    addShared(shared());
  }

  /**
   * Makes the calling thread the owner of a heap. The thread must {@linkplain #abandon} it before
   * it ends; if it does not, others will once they have found it dead.
   *
   * @throws OutOfMemoryError if there is no Java heap for it
   */
  public Heap<B> acquire() {
    Thread thread = Thread.currentThread();
    Heap<B> heap = adopt(thread);
    if (heap == null && abandonDead()) {
      heap = adopt(thread);
    }
    return heap != null ? heap : addOwned(thread);
  }

  /** Ends the calling thread's ownership of a heap. Its live blocks stay valid. */
  public void abandon(Heap<B> heap) {
    heap.abandon(Thread.currentThread());
  }

  /**
   * Takes a block for a thread that owns no heap. Never blocks: of the shared heaps one is free, or
   * another is added, or else more threads than can run at once are between two instructions of
   * theirs, and the caller lets them go on.
   *
   * @param bytes what the block has to hold, 0 or more
   * @throws OutOfMemoryError as {@link Heap#allocate} does
   */
  public B allocateShared(int bytes) {
    if (bytes > SizeClasses.MAX_BLOCK_BYTES) {
      return allocateLarge(bytes);
    }
    long spread = (Thread.currentThread().getId() * SPREAD) >>> 33;
    while (true) {
      Heap<B>[] heaps = shared();
      int first = (int) (spread % heaps.length);
      for (int i = 0; i < heaps.length; i++) {
        Heap<B> heap = heaps[(first + i) % heaps.length];
        if (heap.tryLock()) {
          try {
            return heap.allocate(bytes);
          } finally {
            heap.unlock();
            heap.help();
          }
        }
      }
      if (!addShared(heaps)) {
        Thread.yield();
      }
    }
  }

  /**
   * Gives back what it can without the help of other threads: empty pages of heaps without a living
   * owner, then free segments.
   *
   * @return the bytes given back to the memory source
   */
  public long trim() {
    abandonDead();
    trimUnowned(owned());
    trimUnowned(shared());
    return resources.pool().purge();
  }

  /** The bytes obtained from the memory source and not given back. */
  public long usedBytes() {
    return resources.pool().usedBytes();
  }

  /**
   * The bytes of all blocks in use, each with its whole size. Exact while no thread allocates or
   * releases, else an estimate.
   */
  public long liveBytes() {
    long live = 0;
    long paged = 0;
    for (Heap<B>[] heaps : List.of(owned(), shared())) {
      for (Heap<B> heap : heaps) {
        live += heap.liveBytes();
        paged += heap.pageBytes();
      }
    }
    long large = resources.pool().claimedBytes() - paged;
    return live + Math.max(0, large);
  }

  Heap<B>[] owned() {
    return requireNonNull(owned.get());
  }

  Heap<B>[] shared() {
    return requireNonNull(shared.get());
  }

  SegmentPool pool() {
    return resources.pool();
  }

  private B allocateLarge(int bytes) {
    try {
      return resources.large().allocate(bytes);
    } catch (OutOfMemoryError e) {
      trim();
      return resources.large().allocate(bytes);
    }
  }

  private @Nullable Heap<B> adopt(Thread thread) {
    for (Heap<B> heap : owned()) {
      if (heap.adopt(thread)) {
        return heap;
      }
    }
    return null;
  }

  /** Thread-locals that end after ours may make a heap that nobody abandons: this finds it. */
  private boolean abandonDead() {
    boolean found = false;
    for (Heap<B> heap : owned()) {
      Thread owner = heap.owner();
      if (owner != null && !owner.isAlive()) {
        heap.abandon(owner);
        found = true;
      }
    }
    return found;
  }

  private static void trimUnowned(Heap<?>[] heaps) {
    for (Heap<?> heap : heaps) {
      if (heap.owner() == null && heap.tryLock()) {
        try {
          if (heap.owner() == null) {
            heap.trim();
          }
        } finally {
          heap.unlock();
          heap.help();
        }
      }
    }
  }

  private Heap<B> addOwned(Thread thread) {
    Heap<B> heap = newHeap(false, thread);
    Heap<B>[] heaps;
    do {
      heaps = owned();
    } while (!owned.compareAndSet(heaps, append(heaps, heap)));
    return heap;
  }

  /** Adds a shared heap to those that the caller saw, unless another thread was faster. */
  private boolean addShared(Heap<B>[] seen) {
    if (seen.length == maxSharedHeaps) {
      return false;
    }
    shared.compareAndSet(seen, append(seen, newHeap(true, null)));
    return true;
  }

  private Heap<B> newHeap(boolean shared, @Nullable Thread owner) {
    return new Heap<>(resources, none, shared, owner);
  }

  private Heap<B>[] append(Heap<B>[] heaps, Heap<B> heap) {
    Heap<B>[] longer = Arrays.copyOf(heaps, heaps.length + 1);
    longer[heaps.length] = heap;
    return longer;
  }

  @SuppressWarnings("unchecked") // filled with Heap<B> alone
  private static <B extends Block> Heap<B>[] newArray(int length) {
    return (Heap<B>[]) new Heap<?>[length];
  }
}
