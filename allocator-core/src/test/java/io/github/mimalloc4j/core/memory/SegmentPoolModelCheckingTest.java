package io.github.mimalloc4j.core.memory;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody has a run of a segment that went back to its source, and each free one goes there. */
@Tag("model-checking")
class SegmentPoolModelCheckingTest {

  @Test
  void purgedSegmentHasNoRun() {
    ModelChecking.checkAllSteps(PurgeAndTwoClaims.class);
  }

  @Test
  void lastReleaseAndCloseLeaveNothingUsed() {
    ModelChecking.checkAllSteps(CloseAndRelease.class);
  }

  @Test
  void closeFindsWhatTheNodeAboveDoesNotKnow() {
    ModelChecking.checkAllSteps(ReleaseAndClose.class);
  }

  @Test
  void noTwoThreadsHaveAMovedSegment() {
    ModelChecking.checkAllSteps(MoveAndClaim.class);
  }

  /** Two threads claim where the smallest gap is, and one of them purges what it finds free. */
  public static class PurgeAndTwoClaims extends ModelChecking.Race {

    private final RacedSegments segments = new RacedSegments();
    private int ours;
    private int theirs;
    private boolean purged;

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
      require(purged == last < RacedSegments.SECOND, "a run of the second segment, and its purge");
      require(purged != Math.min(ours, theirs) >= 0, "a run that was not found");
    }
  }

  /** A pool is closed while its last run is released. */
  public static class CloseAndRelease extends ModelChecking.Race {

    private final SegmentPool pool =
        new SegmentPool(bytes -> () -> {}, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
    private final Run run = pool.claim(1);

    @Override
    protected void doOurs() {
      pool.close();
    }

    @Override
    protected void doTheirs() {
      run.release();
    }

    @Override
    public void atRest() {
      require(pool.usedBytes() == 0, "a free segment is kept");
    }
  }

  /** A pool is closed after a release, of which another thread is about to tell the node above. */
  public static class ReleaseAndClose extends ModelChecking.Race {

    private final TwoLeaves leaves = new TwoLeaves();

    @Override
    protected void doOurs() {
      leaves.releaseAndClose();
    }

    @Override
    protected void doTheirs() {
      leaves.release();
    }

    @Override
    public void atRest() {
      require(leaves.isEmptyAtLast(), "a free segment is kept");
    }
  }

  /** A thread moves the only free segment to the other list, while another one claims all of it. */
  public static class MoveAndClaim extends ModelChecking.Race {

    private final MovedSegment moved = new MovedSegment();

    @Override
    protected void doOurs() {
      moved.claimPage();
    }

    @Override
    protected void doTheirs() {
      moved.claimLarge();
    }

    @Override
    public void atRest() {
      require(moved.isSound(), "two runs in the same memory, or memory that is counted wrong");
    }
  }
}
