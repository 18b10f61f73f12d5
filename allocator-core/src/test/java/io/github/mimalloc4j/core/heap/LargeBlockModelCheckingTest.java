package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large block's slices have one user at a time, though no heap stands between them. */
@Tag("model-checking")
class LargeBlockModelCheckingTest {

  @Test
  void slicesAreClaimedAfterTheLastUse() {
    ModelChecking.check(ReleaseAndClaim.class);
  }

  @Test
  void releaseBeforeLastUseMakesTwoUsers() {
    ModelChecking.assertFound(ReleaseBeforeLastUse.class);
  }

  /** A block is released by one thread while another one claims the same slices. */
  public static class ReleaseAndClaim extends ModelChecking.Race {

    private final LargeBlockView block;
    private boolean same;

    public ReleaseAndClaim() {
      this(new RealLargeBlock());
    }

    ReleaseAndClaim(LargeBlockView block) {
      this.block = block;
    }

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
      require(!same || block.isUseOver(), "a second user before the first was done");
    }
  }

  public static final class ReleaseBeforeLastUse extends ReleaseAndClaim {
    public ReleaseBeforeLastUse() {
      super(LargeBlockBugs.releasesBeforeLastUse());
    }
  }
}
