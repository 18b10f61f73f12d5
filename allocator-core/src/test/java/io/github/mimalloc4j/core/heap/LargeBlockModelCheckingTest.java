package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large block's slices have one user at a time, whether a heap keeps them in between or not. */
@Tag("model-checking")
class LargeBlockModelCheckingTest {

  @Test
  void slicesAreClaimedAfterTheLastUse() {
    ModelChecking.checkAllSteps(ReleaseAndClaim.class);
  }

  @Test
  void onlyTheOwnerKeepsAPage() {
    ModelChecking.checkAllSteps(KeepAndRelease.class);
  }

  @Test
  void aKeptPageIsTakenOrStolen() {
    ModelChecking.check(KeepAndSteal.class);
  }

  /** A block is released by one thread while another one takes an equal one. */
  public static class ReleaseAndClaim extends ModelChecking.Race {

    private final RacedLargeBlock block = new RacedLargeBlock();
    private boolean same;

    @Override
    protected void doOurs() {
      block.useAndRelease();
    }

    @Override
    protected void doTheirs() {
      same = block.takeAnother();
    }

    @Override
    public void atRest() {
      require(block.isOneInUse(), "claimed slices of nobody, or free ones in use");
      require(!same || block.isUseOver(), "a second user before the first was done");
      require(!same || block.hasMemory(), "a block in use without its memory");
    }
  }

  /** A heap's owner releases a block while another thread releases one of the same heap. */
  public static class KeepAndRelease extends ModelChecking.Race {

    private final RacedKeptPage pages = new RacedKeptPage();
    private boolean same;

    @Override
    protected void doOurs() {
      pages.own();
      same = pages.releaseAndTake();
    }

    @Override
    protected void doTheirs() {
      pages.releaseFirst();
    }

    @Override
    public void atRest() {
      require(same, "a page that was kept did not serve the next block");
      String fate = pages.fate();
      require(fate.equals("right"), fate);
    }
  }

  /** A heap keeps a page, its owner takes it and keeps another one, while a thread steals. */
  public static class KeepAndSteal extends ModelChecking.Race {

    private final RacedKeptPage pages = new RacedKeptPage();

    @Override
    protected void doOurs() {
      pages.own();
      pages.releaseFirst();
      pages.take();
      pages.releaseSecond();
    }

    @Override
    protected void doTheirs() {
      pages.steal();
    }

    @Override
    public void atRest() {
      String fate = pages.fate();
      require(fate.equals("right"), fate);
    }
  }
}
