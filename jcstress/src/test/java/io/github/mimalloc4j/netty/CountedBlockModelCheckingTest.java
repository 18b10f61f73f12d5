package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.ModelChecking;
import io.github.mimalloc4j.netty.planted.BufferBugs;
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The reference count, of a real buffer whose page's owner releases without an atomic operation.
 * Each race is run on a simple count with a bug, too, which it must find.
 */
@Tag("model-checking")
class CountedBlockModelCheckingTest {

  @Test
  void oneOfTwoHoldersIsTheLast() {
    ModelChecking.check(TwoHolders.class);
  }

  @Test
  void releaseInTwoStepsLosesRelease() {
    ModelChecking.assertFound(TwoHoldersReleaseInTwoSteps.class);
  }

  @Test
  void ownersPlainWriteBesideAnotherReferenceLosesRelease() {
    ModelChecking.assertFound(TwoHoldersOwnerReleasesByPlainWrite.class);
  }

  @Test
  void referencesThatComeAndGoAreCounted() {
    ModelChecking.check(Borrower.class);
  }

  @Test
  void retainInTwoStepsLosesRelease() {
    ModelChecking.assertFound(BorrowerRetainsInTwoSteps.class);
  }

  @Test
  void ofTwoReleasesOfOneReferenceOneCounts() {
    ModelChecking.check(DoubleRelease.class);
  }

  @Test
  void uncheckedReclaimFreesTwice() {
    ModelChecking.assertFound(DoubleReleaseReclaimsUnchecked.class);
  }

  @Test
  void ofTwoCheckedReleasesOneThrows() {
    ModelChecking.check(CheckedDoubleRelease.class);
  }

  @Test
  void checkByPlainWriteLetsBothSucceed() {
    ModelChecking.assertFound(DoubleReleaseCheckedByPlainWrite.class);
  }

  @Test
  void wrongRetainLeavesNoTrace() {
    ModelChecking.check(RetainAfterRelease.class);
  }

  @Test
  void reclaimThatIsDisturbedLosesBlock() {
    ModelChecking.assertFound(RetainAfterReleaseReclaimsUndisturbedOnly.class);
  }

  @Test
  void takingBackFromTheNewUserLosesReference() {
    ModelChecking.assertFound(RetainAfterReleaseTakesBackFromNewUser.class);
  }

  @Test
  void lastHolderKnowsWhereTheOwnerMovedTheBuffer() {
    ModelChecking.check(OwnerGrows.class);
  }

  @Test
  void placeBeforeCountReleasesOldPlaceAgain() {
    ModelChecking.assertFound(OwnerGrowsPlaceBeforeCount.class);
  }

  @Test
  void ownerKnowsWhereAnotherHolderMovedTheBuffer() {
    ModelChecking.check(OtherGrows.class);
  }

  @Test
  void ownersPlaceBeforeCountReleasesOldPlaceAgain() {
    ModelChecking.assertFound(OtherGrowsPlaceBeforeCount.class);
  }

  /** A race for a buffer, which the owner of its page and another thread have. */
  abstract static class BufferRace extends ModelChecking.Race {

    final BufferView buffer;

    BufferRace(BufferView buffer) {
      this.buffer = buffer;
    }

    /** Whether a release gave the last reference back; false also if there was none. */
    final boolean releases() {
      try {
        return buffer.release();
      } catch (IllegalReferenceCountException e) {
        return false;
      }
    }
  }

  /** The owner and another holder release at the same time. */
  public static class TwoHolders extends BufferRace {

    boolean owner;
    boolean other;

    public TwoHolders() {
      this(new RealBuffer(2));
    }

    TwoHolders(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doOurs() {
      buffer.own();
      owner = buffer.release();
    }

    @Override
    protected void doTheirs() {
      other = buffer.release();
    }

    @Override
    public void atRest() {
      require(owner != other, "both or none was the last: " + owner);
      int times = buffer.timesFree();
      require(times == 1, "free so often: " + times);
    }
  }

  public static final class TwoHoldersReleaseInTwoSteps extends TwoHolders {
    public TwoHoldersReleaseInTwoSteps() {
      super(BufferBugs.releasesInTwoSteps(2));
    }
  }

  public static final class TwoHoldersOwnerReleasesByPlainWrite extends TwoHolders {
    public TwoHoldersOwnerReleasesByPlainWrite() {
      super(BufferBugs.ownerReleasesByPlainWrite(2));
    }
  }

  /** The other holder has a second reference for a while. */
  public static class Borrower extends TwoHolders {

    public Borrower() {}

    Borrower(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doTheirs() {
      buffer.retain();
      other = buffer.release();
      other |= buffer.release();
    }
  }

  public static final class BorrowerRetainsInTwoSteps extends Borrower {
    public BorrowerRetainsInTwoSteps() {
      super(BufferBugs.retainsInTwoSteps(2));
    }
  }

  /** A wrong program: the owner and another thread release the one reference. */
  public static class DoubleRelease extends BufferRace {

    boolean owner;
    boolean other;

    public DoubleRelease() {
      this(new RealBuffer(1));
    }

    DoubleRelease(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doOurs() {
      buffer.own();
      owner = releases();
    }

    @Override
    protected void doTheirs() {
      other = releases();
    }

    @Override
    public void atRest() {
      require(owner || other, "both threw");
      int times = buffer.timesFree();
      require(times == 1, "free so often: " + times);
    }
  }

  public static final class DoubleReleaseReclaimsUnchecked extends DoubleRelease {
    public DoubleReleaseReclaimsUnchecked() {
      super(BufferBugs.reclaimsUnchecked());
    }
  }

  /** The same where each release is checked. */
  public static class CheckedDoubleRelease extends DoubleRelease {

    public CheckedDoubleRelease() {
      this(RealBuffer.checked());
    }

    CheckedDoubleRelease(BufferView buffer) {
      super(buffer);
    }

    @Override
    public void atRest() {
      require(!(owner && other), "both succeeded");
      super.atRest();
    }
  }

  public static final class DoubleReleaseCheckedByPlainWrite extends CheckedDoubleRelease {
    public DoubleReleaseCheckedByPlainWrite() {
      super(BufferBugs.checksReleaseByPlainWrite());
    }
  }

  /** A wrong program: another thread retains what it has released, while the owner reuses it. */
  public static class RetainAfterRelease extends BufferRace {

    private boolean reused;
    private boolean retained;

    public RetainAfterRelease() {
      this(new RealBuffer(1));
    }

    RetainAfterRelease(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doOurs() {
      buffer.own();
      reused = buffer.reuse();
    }

    @Override
    protected void doTheirs() {
      buffer.release();
      try {
        buffer.retain();
        retained = true;
      } catch (IllegalReferenceCountException e) {
        retained = false;
      }
    }

    @Override
    public void atRest() {
      require(reused || !retained, "a free block was retained");
      require(!retained || !releases(), "two references were one");
      require(!reused || releases(), "the new user's count is wrong");
      int times = buffer.timesFree();
      require(times == 1, "free so often: " + times);
    }
  }

  public static final class RetainAfterReleaseReclaimsUndisturbedOnly extends RetainAfterRelease {
    public RetainAfterReleaseReclaimsUndisturbedOnly() {
      super(BufferBugs.reclaimsUndisturbedOnly());
    }
  }

  public static final class RetainAfterReleaseTakesBackFromNewUser extends RetainAfterRelease {
    public RetainAfterReleaseTakesBackFromNewUser() {
      super(BufferBugs.takesBackFromNewUser());
    }
  }

  /** The owner grows the buffer, which moves it, and releases while another holder releases. */
  public static class OwnerGrows extends BufferRace {

    boolean grower;
    boolean other;

    public OwnerGrows() {
      this(new RealBuffer(2));
    }

    OwnerGrows(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doOurs() {
      buffer.own();
      buffer.grow();
      grower = buffer.release();
    }

    @Override
    protected void doTheirs() {
      other = buffer.release();
    }

    @Override
    public void atRest() {
      require(grower != other, "both or none was the last: " + grower);
      require(buffer.isAllFree(), "a place is not free");
    }
  }

  public static final class OwnerGrowsPlaceBeforeCount extends OwnerGrows {
    public OwnerGrowsPlaceBeforeCount() {
      super(BufferBugs.readsPlaceBeforeCount(2));
    }
  }

  /** Another holder grows the buffer while the owner releases. */
  public static class OtherGrows extends OwnerGrows {

    public OtherGrows() {}

    OtherGrows(BufferView buffer) {
      super(buffer);
    }

    @Override
    protected void doOurs() {
      buffer.own();
      other = buffer.release();
    }

    @Override
    protected void doTheirs() {
      buffer.grow();
      grower = buffer.release();
    }
  }

  public static final class OtherGrowsPlaceBeforeCount extends OtherGrows {
    public OtherGrowsPlaceBeforeCount() {
      super(BufferBugs.readsPlaceBeforeCount(2));
    }
  }
}
