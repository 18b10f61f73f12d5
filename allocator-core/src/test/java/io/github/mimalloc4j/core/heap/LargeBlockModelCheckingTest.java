package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large block's slices have one user at a time, though no heap stands between them. */
@Tag("model-checking")
class LargeBlockModelCheckingTest {

  @Test
  void slicesAreClaimedAfterTheLastUse() {
    ModelChecking.checkAllSteps(ReleaseAndClaim.class);
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
    }
  }
}
