package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The blocks of a heap are released while its owner does nothing but its upkeep: in the end the
 * page was given back, or will be by upkeep that was asked for.
 */
@Tag("model-checking")
class IdleHeapModelCheckingTest {

  @Test
  void idleOwnerGivesPageBack() {
    ModelChecking.check(IdleTrim.class);
  }

  @Test
  void idleAdopterGivesPageBack() {
    ModelChecking.check(IdleAdopt.class);
  }

  @Test
  void pageIsGivenBackThoughTheOwnerThatWasAskedLeaves() {
    ModelChecking.check(IdleAbandon.class);
  }

  @Test
  void idleOwnerThatTrimsInPortionsGivesPageBack() {
    ModelChecking.check(IdlePortions.class);
  }

  @Test
  void idleOwnerForgetsStolenPage() {
    ModelChecking.check(IdleSteal.class);
  }

  /** Upkeep runs, and perhaps once more, while the page's blocks are released. */
  public static class IdleTrim extends HeapRace {

    public IdleTrim() {
      super(RacedHeap.owned(2));
    }

    @Override
    protected void doOurs() {
      heap.runUpkeep();
      heap.runUpkeep();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
      heap.releaseElsewhere(1);
    }

    @Override
    public void atRest() {
      heap.finishUpkeep();
      requireGivenBackOnce();
    }
  }

  /** Upkeep runs while the page's last block is released and the page stolen. */
  public static class IdleSteal extends HeapRace {

    public IdleSteal() {
      super(RacedHeap.ownedWithLastInUse());
    }

    @Override
    protected void doOurs() {
      heap.runUpkeep();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
      heap.steal();
    }

    @Override
    public void atRest() {
      heap.finishUpkeep();
      requireGivenBackOnce();
      require(heap.isForgotten(), "the heap has a page without memory");
    }
  }

  /** An abandoned heap is adopted, and then left alone, while its last block is released. */
  public static class IdleAdopt extends HeapRace {

    public IdleAdopt() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.adopt();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      heap.finishUpkeep();
      requireGivenBackOnce();
    }
  }

  /** The owner's upkeep takes several tasks while the page's last block is released. */
  public static class IdlePortions extends HeapRace {

    public IdlePortions() {
      super(RacedHeap.owned(1));
      heap.abandon();
    }

    @Override
    protected void doOurs() {
      heap.adopt();
      heap.runUpkeepOfOwner();
      heap.runUpkeepOfOwner(); // if it was asked for again
      heap.runRestOfOwner();
      heap.runRestOfOwner();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      heap.finishUpkeepOfOwner();
      requireGivenBackOnce();
    }
  }

  /** An owner leaves while a releaser asks it for upkeep. */
  public static class IdleAbandon extends HeapRace {

    public IdleAbandon() {
      super(RacedHeap.owned(1));
      heap.finishUpkeep(); // the page is asked for
    }

    @Override
    protected void doOurs() {
      heap.abandon();
    }

    @Override
    protected void doTheirs() {
      heap.releaseElsewhere(0);
    }

    @Override
    public void atRest() {
      requireGivenBackOnce();
    }
  }
}
