package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.ModelChecking;
import io.netty.util.IllegalReferenceCountException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reference count, of a buffer whose page's owner releases without an atomic operation. */
@Tag("model-checking")
class CountedBlockModelCheckingTest {

  @Test
  void oneOfTwoHoldersIsTheLast() {
    ModelChecking.checkHolders(TwoHolders.class);
  }

  @Test
  void referencesThatComeAndGoAreCounted() {
    ModelChecking.checkHolders(Borrower.class);
  }

  @Test
  void ofTwoReleasesOfOneReferenceOneCounts() {
    ModelChecking.checkHolders(DoubleRelease.class);
  }

  @Test
  void ofTwoReleasesInASharedHeapOneCounts() {
    ModelChecking.checkHolders(BiasedDoubleRelease.class);
  }

  @Test
  void ofTwoCheckedReleasesOneThrows() {
    ModelChecking.checkHolders(CheckedDoubleRelease.class);
  }

  @Test
  void wrongRetainLeavesNoTrace() {
    ModelChecking.checkHolders(RetainAfterRelease.class);
  }

  @Test
  void bytesAreErasedBeforeTheyAreUsedAgain() {
    ModelChecking.checkHolders(EraseAndReuse.class);
  }

  @Test
  void lastHolderKnowsWhereTheOwnerMovedTheBuffer() {
    ModelChecking.checkHolders(OwnerGrows.class);
  }

  @Test
  void ownerKnowsWhereAnotherHolderMovedTheBuffer() {
    ModelChecking.checkHolders(OtherGrows.class);
  }

  /** A race for a buffer, which the owner of its page and another thread have. */
  abstract static class BufferRace extends ModelChecking.Race {

    final RacedBuffer buffer;

    BufferRace(RacedBuffer buffer) {
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
      super(new RacedBuffer(2));
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

  /** The other holder has a second reference for a while. */
  public static class Borrower extends TwoHolders {

    @Override
    protected void doTheirs() {
      buffer.retain();
      other = buffer.release();
      other |= buffer.release();
    }
  }

  /** A wrong program: the owner and another thread release the one reference. */
  public static class DoubleRelease extends BufferRace {

    boolean owner;
    boolean other;

    public DoubleRelease() {
      this(new RacedBuffer(1));
    }

    DoubleRelease(RacedBuffer buffer) {
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

  /** The same where each release is checked. */
  public static class CheckedDoubleRelease extends DoubleRelease {

    public CheckedDoubleRelease() {
      super(RacedBuffer.guarded());
    }

    @Override
    public void atRest() {
      require(!(owner && other), "both succeeded");
      super.atRest();
    }
  }

  /** The same in a shared heap that is biased to one of the two threads. */
  public static class BiasedDoubleRelease extends DoubleRelease {

    public BiasedDoubleRelease() {
      super(RacedBuffer.shared());
    }
  }

  /** A wrong program: another thread retains what it has released, while the owner reuses it. */
  public static class RetainAfterRelease extends BufferRace {

    private boolean reused;
    private boolean retained;

    public RetainAfterRelease() {
      super(new RacedBuffer(1));
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
      require(!buffer.isDoubleReleaseReported(), "it was taken for a double release");
      int times = buffer.timesFree();
      require(times == 1, "free so often: " + times);
    }
  }

  /** A release by another thread erases the bytes, which the owner uses again. */
  public static final class EraseAndReuse extends BufferRace {

    private boolean reused;

    public EraseAndReuse() {
      super(RacedBuffer.guarded());
    }

    @Override
    protected void doOurs() {
      buffer.own();
      reused = buffer.reuse();
      if (reused) {
        buffer.write(1);
      }
    }

    @Override
    protected void doTheirs() {
      buffer.release();
    }

    @Override
    public void atRest() {
      require(!reused || buffer.read() == 1, "the new user's bytes were erased");
    }
  }

  /** The owner grows the buffer, which moves it, and releases while another holder releases. */
  public static class OwnerGrows extends BufferRace {

    boolean grower;
    boolean other;

    public OwnerGrows() {
      super(new RacedBuffer(2));
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

  /** Another holder grows the buffer while the owner releases. */
  public static class OtherGrows extends OwnerGrows {

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
}
