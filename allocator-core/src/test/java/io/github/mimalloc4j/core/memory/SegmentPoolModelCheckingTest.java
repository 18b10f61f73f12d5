package io.github.mimalloc4j.core.memory;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody has a run of a segment that went back to its source, and each free one goes there. */
@Tag("model-checking")
class SegmentPoolModelCheckingTest {

  @Test
  void purgedSegmentHasNoRun() {
    ModelChecking.check(PurgeAndTwoClaims.class);
  }

  @Test
  void removingWithoutClaimLeavesRunInPurgedSegment() {
    ModelChecking.assertFound(PurgeWithoutClaim.class);
  }

  @Test
  void lastReleaseAndCloseLeaveNothingUsed() {
    ModelChecking.check(CloseAndRelease.class);
  }

  @Test
  void purgingBeforeClosingKeepsSegment() {
    ModelChecking.assertFound(PurgeBeforeClose.class);
  }

  /** Two threads claim where the smallest gap is, and one of them purges what it finds free. */
  public static class PurgeAndTwoClaims extends ModelChecking.Race {

    private final SegmentsView segments;
    private int ours;
    private int theirs;
    private boolean purged;

    public PurgeAndTwoClaims() {
      this(SegmentsView.real());
    }

    PurgeAndTwoClaims(SegmentsView segments) {
      this.segments = segments;
    }

    @Override
    protected void doOurs() {
      ours = segments.claim();
    }

    @Override
    protected void doTheirs() {
      theirs = segments.claim();
      purged = segments.purge();
    }

    @Override
    public void atRest() {
      require(ours != theirs, "a slice was claimed twice, or the other was not found");
      int last = Math.max(ours, theirs);
      require(purged == last < SegmentsView.SECOND, "a run of the second segment, and its purge");
      require(purged != Math.min(ours, theirs) >= 0, "a run that was not found");
    }
  }

  public static final class PurgeWithoutClaim extends PurgeAndTwoClaims {
    public PurgeWithoutClaim() {
      super(SegmentBugs.removesWithoutClaim());
    }
  }

  /** A pool is closed while its last run is released. */
  public static class CloseAndRelease extends ModelChecking.Race {

    private final PoolView pool;

    public CloseAndRelease() {
      this(PoolView.real());
    }

    CloseAndRelease(PoolView pool) {
      this.pool = pool;
    }

    @Override
    protected void doOurs() {
      pool.close();
    }

    @Override
    protected void doTheirs() {
      pool.release();
    }

    @Override
    public void atRest() {
      require(pool.isNothingUsed(), "a free segment is kept");
    }
  }

  public static final class PurgeBeforeClose extends CloseAndRelease {
    public PurgeBeforeClose() {
      super(SegmentBugs.purgesBeforeItCloses());
    }
  }
}
