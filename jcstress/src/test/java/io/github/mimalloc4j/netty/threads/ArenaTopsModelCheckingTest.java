package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory that is held back. */
@Tag("model-checking")
class ArenaTopsModelCheckingTest {

  @Test
  void whoObtainsMemoryFindsFreeWhatWasHeldBack() {
    ModelChecking.check(ReleaseAndObtain.class);
  }

  /** Upkeep frees it while another thread is about to obtain memory. */
  public static class ReleaseAndObtain extends ModelChecking.Race {

    private final RacedTops tops = new RacedTops();
    private boolean free;

    @Override
    protected void doOurs() {
      free = tops.isFreedForWhoObtains();
    }

    @Override
    protected void doTheirs() {
      tops.release();
    }

    @Override
    public void atRest() {
      require(free, "memory is obtained beside it");
    }
  }
}
