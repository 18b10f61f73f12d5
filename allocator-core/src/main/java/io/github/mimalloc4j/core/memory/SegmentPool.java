package io.github.mimalloc4j.core.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one memory source, shared by all heaps. Pages and large blocks have segments of
 * their own: few large ones share a segment, so that it is soon free again.
 *
 * <p>A segment that became free stays until {@linkplain #purgeIdle upkeep} finds it so, or until
 * another one has to be obtained since it is no use for that.
 *
 * <p>Thread-safe. Claiming in a segment and releasing are lock-free; only obtaining a segment and
 * purging one take the lock, which also keeps threads that run out of slices together from
 * obtaining a segment each.
 */
public final class SegmentPool {

  /** What of the used bytes may be free when more is obtained: one part in as many. */
  private static final int FREE_SHARE = 32;

  private final MemorySource source;
  private final MemoryPolicy policy;
  private final Runnable whenFree;
  private final SegmentListener listener;
  private final ReentrantLock lock = new ReentrantLock();

  private final Consumer<Segment> whenEmpty = this::emptied;
  private final Consumer<Segment> whenDedicatedEmpty = this::freeDedicated;

  private final SegmentList pageSegments;
  private final SegmentList largeSegments;

  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong dedicatedBytes = new AtomicLong();
  private final AtomicLong segmentsObtained = new AtomicLong();
  private final AtomicLong segmentsPurged = new AtomicLong();

  private volatile boolean closed;

  /**
   * Makes a pool without segments.
   *
   * @param whenFree is told of each segment that became free; called by any thread
   * @param listener is told of segments that are obtained and go back
   */
  public SegmentPool(
      MemorySource source, MemoryPolicy policy, Runnable whenFree, SegmentListener listener) {
    this.source = source;
    this.policy = policy;
    this.whenFree = whenFree;
    this.listener = listener;
    pageSegments = new SegmentList(policy.sizing());
    largeSegments = new SegmentList(policy.sizing().forLargeRuns());
  }

  /** The bytes obtained from the source and not freed. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** The bytes of all claimed runs. Exact at rest. */
  public long claimedBytes() {
    long slices = 0;
    for (Segment segment : segments()) {
      slices += segment.claimedSlices();
    }
    return slices * Slices.BYTES + dedicatedBytes.get();
  }

  /** The bytes of the segments that one run has to itself. */
  public long dedicatedBytes() {
    return dedicatedBytes.get();
  }

  /** How many segments were obtained from the source. */
  public long segmentsObtained() {
    return segmentsObtained.get();
  }

  /** How many segments went back to the source. */
  public long segmentsPurged() {
    return segmentsPurged.get();
  }

  /** Whether a run of so many bytes has a segment to itself. */
  public boolean isHuge(int bytes) {
    return bytes > policy.sizing().maxBytes();
  }

  /** The segments that runs are claimed in, without the dedicated ones. */
  Segment[] segments() {
    Segment[] pages = pageSegments.segments();
    Segment[] large = largeSegments.segments();
    Segment[] all = new Segment[pages.length + large.length];
    System.arraycopy(pages, 0, all, 0, pages.length);
    System.arraycopy(large, 0, all, pages.length, large.length);
    return all;
  }

  /** Claims a run for a page in a segment that is there already, or returns null. */
  public @Nullable Run claimExisting(int slices) {
    return pageSegments.claim(slices);
  }

  /**
   * Claims a run for a page, in a new segment if need be.
   *
   * @throws OutOfMemoryError if the source has none left, or the policy's limit is reached; nothing
   *     has changed then, but for free segments that went back
   * @throws IllegalStateException if the pool was closed
   */
  public Run claim(int slices) {
    return claim(pageSegments, slices);
  }

  /**
   * Claims a run for a large block. Above the largest segment it is a segment of exactly as many
   * bytes, which goes back to the source with the run's release.
   *
   * @throws OutOfMemoryError as {@link #claim} does
   * @throws IllegalStateException if the pool was closed
   */
  public Run claimLarge(int bytes) {
    if (!isHuge(bytes)) {
      return claim(largeSegments, Slices.count(bytes));
    }
    requireOpen();
    try {
      return obtainDedicated(bytes);
    } catch (OutOfMemoryError e) {
      purge();
      return obtainDedicated(bytes);
    }
  }

  /**
   * Gives all free segments back to the source.
   *
   * @return the bytes given back
   */
  public long purge() {
    return purgeBeyond(0);
  }

  /** Gives free segments back, but for what the policy retains. */
  public void purgeIdle() {
    purgeBeyond(policy.retainedBytes());
  }

  /** Refuses all further claims, and gives each segment back as soon as it is free. */
  public void close() {
    closed = true;
    purge();
  }

  private Run claim(SegmentList segments, int slices) {
    requireOpen();
    Run run = segments.claim(slices);
    if (run != null) {
      return run;
    }
    lock.lock();
    try {
      run = segments.claim(slices); // another thread may have obtained a segment meanwhile
      return run != null ? run : grow(segments, slices);
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The allocator is closed.");
    }
  }

  private Run grow(SegmentList segments, int slices) {
    long used = usedBytes.get();
    purgeBeyond(Math.max(policy.retainedBytes(), used / FREE_SHARE));
    try {
      return obtain(segments, segmentSlices(segments, slices), slices);
    } catch (OutOfMemoryError e) {
      purgeBeyond(0);
      return obtainOrShare(segments, slices);
    }
  }

  private int segmentSlices(SegmentList segments, int slices) {
    long used = usedBytes.get();
    long left = (policy.maxBytes() - used) / Slices.BYTES;
    return (int) Math.max(slices, Math.min(left, segments.sizing().segmentSlices(slices, used)));
  }

  /** At the end of the memory, takes the run alone, or finds it among the other kind's segments. */
  private Run obtainOrShare(SegmentList segments, int slices) {
    try {
      return obtain(segments, slices, slices);
    } catch (OutOfMemoryError e) {
      Run run = (segments == pageSegments ? largeSegments : pageSegments).claim(slices);
      if (run == null) {
        throw e;
      }
      return run;
    }
  }

  private Run obtain(SegmentList segments, int slices, int claimed) {
    int bytes = slices * Slices.BYTES;
    return obtained(obtain(segments, bytes, slices, claimed, whenEmpty));
  }

  private Run obtainDedicated(int bytes) {
    Run run = obtain(null, bytes, 1, 1, whenDedicatedEmpty);
    dedicatedBytes.addAndGet(bytes);
    return obtained(run);
  }

  /** Counts it and calls the listener, once nothing is given back any more if that fails. */
  private Run obtained(Run run) {
    Segment segment = run.segment();
    segmentsObtained.incrementAndGet();
    listener.segmentObtained(segment.memory(), segment.bytes());
    return run;
  }

  /**
   * Obtains a segment of which the first slices are claimed already, and adds it to a list unless
   * that is null.
   */
  private Run obtain(
      @Nullable SegmentList segments,
      int bytes,
      int slices,
      int claimed,
      Consumer<Segment> whenEmpty) {
    reserve(bytes);
    try {
      Memory memory = source.allocate(bytes);
      try {
        Segment segment = new Segment(memory, bytes, slices, whenEmpty);
        Run run = segment.claim(claimed);
        assert run != null : "nobody else knows the segment";
        if (segments != null) {
          segments.add(segment);
        }
        return run;
      } catch (OutOfMemoryError e) {
        memory.free();
        throw e;
      }
    } catch (OutOfMemoryError e) {
      usedBytes.addAndGet(-bytes);
      throw e;
    }
  }

  private void reserve(int bytes) {
    long used;
    do {
      used = usedBytes.get();
      if (bytes > policy.maxBytes() - used) {
        throw new OutOfMemoryError(
            "The allocator's limit is "
                + policy.maxBytes()
                + " bytes, and "
                + used
                + " of them are used: no room for another "
                + bytes);
      }
    } while (!usedBytes.compareAndSet(used, used + bytes));
  }

  private void emptied(Segment segment) {
    if (closed) {
      try {
        purge();
      } catch (OutOfMemoryError e) {
        // The slices were released; for a shorter list of segments there is no Java heap just now.
      }
    } else {
      whenFree.run();
    }
  }

  /**
   * Gives free segments back, those for large runs and the newest first, as long as {@code
   * keptBytes} of them remain.
   */
  private long purgeBeyond(long keptBytes) {
    lock.lock();
    try {
      int before = pooledSegments();
      long free = 0;
      for (Segment segment : segments()) {
        free += segment.isEmpty() ? segment.bytes() : 0;
      }
      long kept = purgeBeyond(keptBytes, free, largeSegments);
      long purged = free - purgeBeyond(keptBytes, kept, pageSegments);
      if (purged > 0) {
        listener.purged(before - pooledSegments(), purged);
      }
      return purged;
    } finally {
      lock.unlock();
    }
  }

  /** How many segments are not dedicated. Changes under the lock alone. */
  private int pooledSegments() {
    return pageSegments.segments().length + largeSegments.segments().length;
  }

  private long purgeBeyond(long keptBytes, long freeBytes, SegmentList segments) {
    Segment[] candidates = segments.segments();
    long free = freeBytes;
    for (int i = candidates.length - 1; i >= 0 && free > keptBytes; i--) {
      Segment segment = candidates[i];
      if (segments.removeIfFree(segment)) {
        free -= segment.bytes();
        free(segment);
      }
    }
    return free;
  }

  private void freeDedicated(Segment segment) {
    dedicatedBytes.addAndGet(-segment.bytes());
    free(segment);
  }

  private void free(Segment segment) {
    usedBytes.addAndGet(-segment.bytes());
    segmentsPurged.incrementAndGet();
    listener.segmentFreed(segment.memory(), segment.bytes());
    segment.memory().free();
  }
}
