package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import org.jspecify.annotations.Nullable;

/**
 * Finds the room for another page of a heap: its slices. The ways to do so, the cheaper ones first,
 * are listed in the description of the package {@code core}.
 *
 * <p>Retired pages, and idle pages of any heap, make room before the heap obtains a segment. Not so
 * in a small heap that has needed that many times since the last trim began: it has too little for
 * what it does, and would create all blocks again and again.
 *
 * <p>Holder of the heap only.
 */
final class PageRoom<B extends Block> {

  /**
   * How many retired pages at most are given back, and how many then stolen, to make room for a new
   * page: each one costs a search. If they do not suffice, they were small or far apart; the next
   * new page finds them already gone.
   */
  private static final int MOST_LOOKS = 8;

  /** A heap with fewer bytes of pages is small. */
  private static final int SMALL_HEAP_BYTES = 1024 * 1024;

  /** How many pages at most make room for others of a small heap between two trims. */
  private static final int MOST_MADE_ROOM = 64;

  private final HeapPages<B> pages;
  private final HeapResources<B> resources;
  private final SegmentPool pool;

  /** How many pages were given back or stolen to make room for others since the last trim began. */
  private int madeRoom;

  PageRoom(HeapPages<B> pages, HeapResources<B> resources) {
    this.pages = pages;
    this.resources = resources;
    pool = resources.pool();
  }

  /**
   * Claims a run for another page of a bin. The page may be longer than it has to be if there is a
   * gap for that; neither other pages go for it, nor does the next segment depend on it.
   *
   * @return null if memory ran out and a trim gave the bin blocks back
   * @throws OutOfMemoryError if there is no native memory, even after everything within reach was
   *     trimmed, or no Java heap
   */
  @Nullable Run claim(int bin) {
    long binBytes = pages.table().bytes(bin);
    int first = SizeClasses.firstPageSlices(bin);
    int least = binBytes == 0 ? first : SizeClasses.pageSlices(bin);
    int best = binBytes == 0 ? least : SizeClasses.grownPageSlices(bin, binBytes);
    Run run = pool.claimExisting(best);
    if (run == null && best > least) {
      run = pool.claimExisting(least);
    }
    if (run == null) {
      run = claimFromRetired(least);
    }
    if (run == null) {
      run = claimFromStolen(least);
    }
    if (run == null && first < least) {
      run = pool.claimExisting(first); // a smaller page rather than another segment
    }
    return run != null ? run : claimOrObtain(bin, least);
  }

  /** Claims a run if there is room for it once some of the oldest retired pages are given back. */
  private @Nullable Run claimFromRetired(int slices) {
    Run run = null;
    for (int looks = 0; run == null && looks < MOST_LOOKS && mayMakeRoom(); looks++) {
      if (pages.retired().count() == 0) {
        break;
      }
      if (pages.giveBackOldest()) {
        madeRoom();
        run = pool.claimExisting(slices);
      }
    }
    return run;
  }

  /** Claims a run if there is room for it once some pages are stolen. */
  private @Nullable Run claimFromStolen(int slices) {
    Run run = null;
    for (int looks = 0; run == null && looks < MOST_LOOKS && mayMakeRoom(); looks++) {
      if (!resources.stealer().stealPage(slices, false)) {
        break;
      }
      madeRoom();
      run = pool.claimExisting(slices);
    }
    return run;
  }

  /** Claims a run once shared heaps were trimmed a little, if need be in another segment. */
  private @Nullable Run claimOrObtain(int bin, int slices) {
    pages.giveBackKeptLarge(); // its segment may be free then
    resources.environment().makeRoom();
    try {
      return pool.claim(slices); // in an existing segment, if there is room now
    } catch (OutOfMemoryError e) {
      return claimAfterTrim(bin, slices);
    }
  }

  /** Claims a run, perhaps a shorter one, after memory ran out; null as in {@link #claim}. */
  private @Nullable Run claimAfterTrim(int bin, int slices) {
    boolean thoroughly = pages.trimForRetry(); // room may be made again if the heap was trimmed
    if (!pages.queues().isEmpty(bin)) {
      return null; // a page that is queued now has a free block: others have released some
    }
    Run run = pool.claimExisting(slices);
    while (run == null && resources.stealer().stealPage(1, thoroughly)) {
      run = pool.claimExisting(slices);
    }
    return run != null ? run : pool.claim(SizeClasses.firstPageSlices(bin)); // better than none
  }

  /**
   * Returns whether another page should make room for a new one. If not, the heap should obtain a
   * segment.
   */
  boolean mayMakeRoom() {
    return madeRoom < MOST_MADE_ROOM || pages.table().bytes() >= SMALL_HEAP_BYTES;
  }

  /** Notes that a page, of this heap or another, made room for a new one. */
  void madeRoom() {
    madeRoom++;
  }

  /** Notes that a trim begins: pages may make room again. */
  void trimBegins() {
    madeRoom = 0;
  }
}
