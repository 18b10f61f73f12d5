package io.github.mimalloc4j.core;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one memory source, shared by all heaps. Runs are claimed first-fit in the order
 * in which segments were obtained, so that later segments drain when less is in use.
 *
 * <p>Thread-safe. Claiming in a segment and releasing are lock-free; only obtaining a segment and
 * purging one take the lock, which also keeps threads that run out of slices together from
 * obtaining a segment each.
 */
final class SegmentPool {

  private final MemorySource source;
  private final SegmentSizing sizing;
  private final ReentrantLock lock = new ReentrantLock();

  /** Replaced, never changed, under the lock. */
  private volatile Segment[] segments = {};

  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong dedicatedBytes = new AtomicLong();

  SegmentPool(MemorySource source, SegmentSizing sizing) {
    this.source = source;
    this.sizing = sizing;
  }

  /** The bytes of the largest run that {@link #claim} can give. */
  int maxRunBytes() {
    return sizing.maxBytes();
  }

  /** The bytes obtained from the source and not freed. */
  long usedBytes() {
    return usedBytes.get();
  }

  /** The bytes of all claimed runs. Exact at rest. */
  long claimedBytes() {
    long slices = 0;
    for (Segment segment : segments) {
      slices += segment.claimedSlices();
    }
    return slices * SizeClasses.SLICE_BYTES + dedicatedBytes.get();
  }

  /** The segments that runs are claimed in, without the dedicated ones. */
  Segment[] segments() {
    return segments.clone();
  }

  /** Claims a run in a segment that is there already, or returns null. */
  @Nullable Run claimExisting(int slices) {
    for (Segment segment : segments) {
      Run run = segment.claim(slices);
      if (run != null) {
        return run;
      }
    }
    return null;
  }

  /**
   * Claims a run, in a new segment if need be.
   *
   * @param slices at most {@link #maxRunBytes()}
   * @throws OutOfMemoryError if the source has none left; nothing has changed then, but for free
   *     segments that went back to it
   */
  Run claim(int slices) {
    Run run = claimExisting(slices);
    if (run != null) {
      return run;
    }
    lock.lock();
    try {
      run = claimExisting(slices); // another thread may have obtained a segment meanwhile
      return run != null ? run : grow(slices);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Obtains a segment for one run alone. It goes back to the source with the run's release.
   *
   * @throws OutOfMemoryError if the source has none left; nothing has changed then
   */
  Run claimDedicated(int bytes) {
    return obtain(bytes, 1, 1, true);
  }

  /**
   * Gives all free segments back to the source.
   *
   * @return the bytes given back
   */
  long purge() {
    lock.lock();
    try {
      return purgeBeyond(0);
    } finally {
      lock.unlock();
    }
  }

  private Run grow(int slices) {
    try {
      return obtain(sizing.segmentSlices(slices, usedBytes.get()), slices);
    } catch (OutOfMemoryError e) {
      purgeBeyond(0);
      return obtain(slices, slices);
    }
  }

  private Run obtain(int slices, int claimed) {
    return obtain(slices * SizeClasses.SLICE_BYTES, slices, claimed, false);
  }

  /** Obtains a segment of which the first slices are claimed already. */
  private Run obtain(int bytes, int slices, int claimed, boolean dedicated) {
    Memory memory = source.allocate(bytes);
    try {
      Consumer<Segment> whenEmpty = dedicated ? this::freeDedicated : this::emptied;
      Segment segment = new Segment(memory, bytes, slices, whenEmpty);
      Run run = segment.claim(claimed);
      assert run != null : "nobody else knows the segment";
      if (dedicated) {
        dedicatedBytes.addAndGet(bytes);
      } else {
        publish(segment);
      }
      usedBytes.addAndGet(bytes);
      return run;
    } catch (OutOfMemoryError e) {
      memory.free();
      throw e;
    }
  }

  private void publish(Segment segment) {
    Segment[] old = segments;
    Segment[] grown = Arrays.copyOf(old, old.length + 1);
    grown[old.length] = segment;
    segments = grown;
  }

  private void emptied(Segment segment) {
    // Never waits: whoever has the lock is about to obtain memory, or purges already.
    if (lock.tryLock()) {
      try {
        purgeBeyond(Math.max(sizing.minBytes(), usedBytes.get() / sizing.growthShare()));
      } catch (OutOfMemoryError e) {
        // The slices were released; for a shorter list of segments there is no Java heap just now.
      } finally {
        lock.unlock();
      }
    }
  }

  /** Gives free segments back, the newest first, as long as {@code keptBytes} of them remain. */
  private long purgeBeyond(long keptBytes) {
    Segment[] candidates = segments;
    long freeBytes = 0;
    for (Segment segment : candidates) {
      freeBytes += segment.isEmpty() ? segment.bytes() : 0;
    }
    long purged = 0;
    for (int i = candidates.length - 1; i >= 0; i--) {
      Segment segment = candidates[i];
      if (freeBytes - purged - segment.bytes() >= keptBytes && purge(segment)) {
        purged += segment.bytes();
      }
    }
    return purged;
  }

  private boolean purge(Segment segment) {
    if (!segment.isEmpty()) {
      return false;
    }
    Segment[] remaining = without(segment); // first: it may run out of memory
    if (!segment.claimWhole()) {
      return false;
    }
    segments = remaining;
    free(segment);
    return true;
  }

  private Segment[] without(Segment segment) {
    return Arrays.stream(segments).filter(other -> other != segment).toArray(Segment[]::new);
  }

  private void freeDedicated(Segment segment) {
    dedicatedBytes.addAndGet(-segment.bytes());
    free(segment);
  }

  private void free(Segment segment) {
    usedBytes.addAndGet(-segment.bytes());
    segment.memory().free();
  }
}
