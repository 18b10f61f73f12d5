package io.github.mimalloc4j.core.memory;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one memory source, shared by all heaps. Pages and large blocks have separate
 * segments. Few large blocks share a segment, so that it is soon free again.
 *
 * <p>A segment that became free stays until {@linkplain #purgeIdle upkeep} finds it free for the
 * second time, or until another segment must be obtained because this one cannot be used for the
 * request, while more is free than may be kept or there is no more memory. In the latter case, if
 * its size suits that request, it serves the other kind from then on.
 *
 * <p>Thread-safe. Nothing is locked: threads that run out of slices at the same time let one of
 * them obtain a segment, and wait for it only for a moment.
 */
public final class SegmentPool {

  /**
   * At most one part in this many of the used bytes may be free when more is obtained, or what the
   * policy retains if that is more.
   */
  private static final int FREE_SHARE = 32;

  /**
   * How often a thread {@linkplain Pause pauses} for a segment that another one obtains: until it
   * has slept 32 times, some 3 milliseconds in all. Bounded, because that thread's memory source
   * may collect garbage.
   */
  private static final int MOST_PAUSES = Pause.BEFORE_SLEEP + 32;

  private final LimitedSource source;
  private final MemoryPolicy policy;
  private final Runnable whenFree;
  private final SegmentListener listener;
  private final SearchBudget searchBudget = new SearchBudget();

  private final SegmentList pageSegments;
  private final SegmentList largeSegments;
  private final FreeSegments free;

  /** How often {@link #purgeIdle} has run. The unit of {@link IndexedSegment#freeSince}. */
  private final AtomicInteger purgeRounds = new AtomicInteger();

  private final AtomicLong dedicatedBytes = new AtomicLong();
  private final AtomicLong segmentsObtained = new AtomicLong();
  private final AtomicLong segmentsPurged = new AtomicLong();

  private volatile boolean closed;

  /**
   * Creates a pool without segments.
   *
   * @param whenFree asks for {@link #purgeIdle} after half the policy's delay; called by any
   *     thread, and throws nothing
   * @param listener receives the segments that are obtained and given back
   */
  public SegmentPool(
      MemorySource source, MemoryPolicy policy, Runnable whenFree, SegmentListener listener) {
    this.source = new LimitedSource(source, policy.maxBytes());
    this.policy = policy;
    this.whenFree = whenFree;
    this.listener = listener;
    pageSegments = new SegmentList(purgeRounds::get, this::becameFree);
    largeSegments = new SegmentList(purgeRounds::get, this::becameFree);
    free = new FreeSegments(pageSegments, largeSegments, listener, this::giveBack);
  }

  /** Returns the bytes obtained from the source and not freed. Never above the policy's limit. */
  public long usedBytes() {
    return source.usedBytes();
  }

  /** Returns the bytes of all claimed runs. Exact at rest. */
  public long claimedBytes() {
    long slices = 0;
    for (Segment segment : segments()) {
      slices += segment.claimedSlices();
    }
    return slices * Slices.BYTES + dedicatedBytes.get();
  }

  /** Returns the bytes of the segments in which nothing is claimed. Exact at rest. */
  public long freeBytes() {
    return free.bytes();
  }

  /** Returns the bytes of the segments that one run has to itself. */
  public long dedicatedBytes() {
    return dedicatedBytes.get();
  }

  public long segmentsObtained() {
    return segmentsObtained.get();
  }

  public long segmentsPurged() {
    return segmentsPurged.get();
  }

  /** Returns whether a run of that many bytes has a segment to itself. */
  public boolean needsDedicated(int bytes) {
    return bytes > policy.sizing().maxBytes();
  }

  /** Returns how many numbers a search of all segments looks at: at least as many as there are. */
  public int segmentCount() {
    return pageSegments.index().end() + largeSegments.index().end();
  }

  /** Returns the segments in which runs are claimed, without the dedicated ones. */
  List<Segment> segments() {
    List<Segment> segments = new ArrayList<>();
    for (SegmentList list : lists()) {
      segments.addAll(list.segments());
    }
    return segments;
  }

  List<SegmentList> lists() {
    return List.of(pageSegments, largeSegments);
  }

  /** Claims a run for a page in an existing segment, or returns null. */
  public @Nullable Run claimExisting(int slices) {
    return pageSegments.claim(slices);
  }

  /**
   * Claims a run for a page, in a new segment if necessary.
   *
   * @throws OutOfMemoryError if the source has no memory left, or the policy's limit is reached;
   *     nothing has changed then, except that free segments may have gone back
   * @throws IllegalStateException if the pool was closed
   */
  public Run claim(int slices) {
    return claim(pageSegments, slices);
  }

  /**
   * Claims a run for a large block in an existing segment, or returns null.
   *
   * @throws IllegalStateException if the pool was closed
   */
  public @Nullable Run claimLargeExisting(int bytes) {
    requireOpen();
    return needsDedicated(bytes) ? null : largeSegments.claim(Slices.count(bytes));
  }

  /**
   * Claims a run for a large block. Above the largest segment size, the run is a segment of exactly
   * that many bytes, which goes back to the source when the run is released.
   *
   * @throws OutOfMemoryError as {@link #claim} does
   * @throws IllegalStateException if the pool was closed
   */
  public Run claimLarge(int bytes) {
    if (!needsDedicated(bytes)) {
      return claim(largeSegments, Slices.count(bytes));
    }
    requireOpen();
    try {
      tellLastClaims();
      free.purgeBeyond(keptBytes(usedBytes()), bytes);
      return obtainDedicated(bytes);
    } catch (OutOfMemoryError e) {
      purge();
      return obtainDedicated(bytes);
    }
  }

  /**
   * Refuses a block that would not fit if everything else were given back, before that is tried.
   *
   * @throws OutOfMemoryError the one of the limit or of the source
   * @throws IllegalStateException if the pool was closed
   */
  public void requireWithinReach(int bytes) {
    if (bytes > Math.min(policy.maxBytes(), policy.reachableBytes())) {
      requireOpen();
      source.free(source.allocate(bytes), bytes); // fails, and tells why
    }
  }

  /**
   * Gives all free segments back to the source.
   *
   * @return the bytes given back
   */
  public long purge() {
    tellLastClaims();
    return free.purgeBeyond(0, Long.MAX_VALUE);
  }

  /**
   * Gives back the free segments that were already free in the last round, except for what the
   * policy retains, and asks for another round if there are more. The pool's {@code whenFree} has
   * this called, by one thread at a time.
   */
  public void purgeIdle() {
    int roundBefore = purgeRounds.getAndIncrement() - 1;
    tellLastClaims();
    long kept = closed ? 0 : policy.retainedBytes();
    if (free.bytes() > kept) {
      free.purgeIdleBeyond(kept, roundBefore);
    }
    if (free.bytes() > kept) {
      whenFree.run();
    }
  }

  private void tellLastClaims() {
    pageSegments.tellLastClaim();
    largeSegments.tellLastClaim();
  }

  /**
   * Refuses claims that might need another segment, and gives back each segment as soon as it is
   * free.
   */
  public void close() {
    closed = true;
    free.purgeAll();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("The allocator is closed.");
    }
  }

  private Run claim(SegmentList segments, int slices) {
    requireOpen();
    Run run = segments.claim(slices);
    for (int pauses = 0; run == null; pauses++) {
      if (segments.beginGrowing()) {
        try {
          run = segments.claim(slices); // another thread may have obtained a segment meanwhile
          return run != null ? run : grow(segments, slices);
        } finally {
          segments.growing = false; // at the end of the stack a call might fail
        }
      }
      if (pauses == MOST_PAUSES) {
        return grow(segments, slices); // the other thread takes too long
      }
      Pause.after(pauses);
      run = segments.claim(slices);
    }
    return run;
  }

  private Run grow(SegmentList segments, int slices) {
    long used = usedBytes();
    int grown = policy.sizing().segmentSlices(slices, segments == largeSegments, used);
    int wanted = withinReach(grown, slices, used);
    try {
      long kept = keptBytes(used);
      if (free.bytes() > kept) { // of no use for the request so far
        Run run = claimInMoved(segments, slices, grown);
        if (run != null) {
          return run;
        }
        // Not more than makes up for the new segment, because the caller is waiting.
        free.purgeBeyond(kept, wanted * (long) Slices.BYTES);
      }
      return obtain(segments, wanted, slices);
    } catch (OutOfMemoryError e) {
      Run run = claimInMovedIfPossible(segments, slices, grown); // however little is free
      if (run != null) {
        return run;
      }
      purge();
      return obtainOrShare(segments, slices);
    }
  }

  /** Returns how many bytes may be free when more is obtained. */
  private long keptBytes(long used) {
    return Math.max(policy.retainedBytes(), used / FREE_SHARE);
  }

  /** Returns how many slices a new segment can have: those that it should have, or fewer. */
  private int withinReach(int grown, int slices, long used) {
    long left = (policy.maxBytes() - used) / Slices.BYTES;
    int wanted = (int) Math.max(slices, Math.min(left, grown));
    return source.allowsMore(wanted * Slices.BYTES) ? wanted : slices;
  }

  /**
   * Moves a free segment of the other kind to a list, and claims its first slices. So programs that
   * need large blocks and pages by turns do not obtain and give back memory all the time.
   *
   * @return null if there is none of a suitable size
   */
  private @Nullable Run claimInMoved(SegmentList to, int slices, int grown) {
    IndexedSegment taken = free.take(other(to), slices, grown);
    if (taken == null) {
      return null;
    }
    try {
      return claimInNew(to, taken.memory(), taken.bytes(), taken.slices(), slices);
    } catch (Throwable e) {
      giveBack(taken);
      throw e;
    }
  }

  /** As {@link #claimInMoved}, but returns null if there is no Java heap for it. */
  private @Nullable Run claimInMovedIfPossible(SegmentList to, int slices, int grown) {
    try {
      return claimInMoved(to, slices, grown);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * When memory runs out, obtains a segment for the run alone, or claims the run wherever there is
   * room, even in a segment of the other kind, and even where the indexes do not lead, if the
   * budget allows such a search.
   */
  private Run obtainOrShare(SegmentList segments, int slices) {
    try {
      return obtain(segments, slices, slices);
    } catch (OutOfMemoryError e) {
      Run run = segments.claim(slices); // others may have released some meanwhile
      run = run != null ? run : other(segments).claim(slices);
      if (run == null && searchBudget.allows(segmentCount())) {
        run = segments.claimAnywhere(slices);
        run = run != null ? run : other(segments).claimAnywhere(slices);
      }
      if (run == null) {
        throw e;
      }
      return run;
    }
  }

  /** Obtains a segment, claims its first slices, and adds it to a list. */
  private Run obtain(SegmentList segments, int slices, int claimed) {
    int bytes = slices * Slices.BYTES;
    Memory memory = source.allocate(bytes);
    Run run;
    try {
      run = claimInNew(segments, memory, bytes, slices, claimed);
    } catch (Throwable e) { // of any kind: the memory must not be lost
      source.free(memory, bytes);
      throw e;
    }
    return obtained(run);
  }

  /** Makes memory a segment, claims its first slices, and adds it to a list. */
  private static Run claimInNew(
      SegmentList segments, Memory memory, int bytes, int slices, int claimed) {
    IndexedSegment segment = new IndexedSegment(segments, memory, bytes, slices);
    try {
      Run run = claimFirst(segment, claimed);
      segments.add(segment);
      return run;
    } catch (Throwable e) {
      segments.forget(segment); // it is not in the index
      throw e;
    }
  }

  private SegmentList other(SegmentList segments) {
    return segments == pageSegments ? largeSegments : pageSegments;
  }

  private Run obtainDedicated(int bytes) {
    Memory memory = source.allocate(bytes);
    Run run;
    try {
      DedicatedSegment segment = new DedicatedSegment(memory, bytes);
      run = claimFirst(segment, 1);
      segment.obtained = true;
    } catch (Throwable e) {
      source.free(memory, bytes);
      throw e;
    }
    dedicatedBytes.addAndGet(bytes);
    return obtained(run);
  }

  private static Run claimFirst(Segment segment, int slices) {
    return requireNonNull(segment.claim(slices), "nobody else knows the segment");
  }

  /** Counts the run's new segment and calls the listener. */
  private Run obtained(Run run) {
    segmentsObtained.incrementAndGet();
    Segment segment = run.segment();
    try {
      listener.segmentObtained(segment.memory(), segment.bytes(), segment.isDedicated());
    } catch (Throwable e) {
      run.release();
      throw e;
    }
    return run;
  }

  /** Called when a segment became free, once a search for free segments finds it. */
  private void becameFree(IndexedSegment segment) {
    if (!closed) {
      whenFree.run();
      return;
    }
    try {
      free.purge(segment);
    } catch (StackOverflowError e) { // the next search has more stack, or upkeep, if there is any
      segment.list().cutShort = true;
      whenFree.run();
    }
  }

  private void giveBack(Segment segment) {
    try {
      listener.segmentFreed(segment.memory(), segment.bytes(), segment.isDedicated());
    } finally { // whatever the listener throws: nobody else will free the memory
      try {
        source.free(segment.memory(), segment.bytes());
      } finally {
        segmentsPurged.incrementAndGet();
      }
    }
  }

  /** A segment that one run has to itself. */
  private final class DedicatedSegment extends Segment {

    /** Whether the pool has it. Until then, a claim that fails gives nothing back. */
    private boolean obtained; // plain: handing on the run publishes it

    DedicatedSegment(Memory memory, int bytes) {
      super(memory, bytes, 1);
    }

    @Override
    boolean isDedicated() {
      return true;
    }

    @Override
    void changed() {
      if (obtained) {
        dedicatedBytes.addAndGet(-bytes());
        giveBack(this);
      }
    }
  }
}
