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
  void trimThatLeavesQueuedPagesKeepsPage() {
    ModelChecking.assertFound(IdleTrimLeavesQueuedPages.class);
  }

  @Test
  void tellingWithoutRequestKeepsPage() {
    ModelChecking.assertFound(IdleTrimWithoutRequest.class);
  }

  @Test
  void idleAdopterGivesPageBack() {
    ModelChecking.check(IdleAdopt.class);
  }

  @Test
  void adoptionWithoutRequestKeepsPage() {
    ModelChecking.assertFound(IdleAdoptWithoutRequest.class);
  }

  @Test
  void pageIsGivenBackThoughTheOwnerThatWasAskedLeaves() {
    ModelChecking.check(IdleAbandon.class);
  }

  @Test
  void lookingForTheOwnerBeforePostingKeepsPage() {
    ModelChecking.assertFound(IdleAbandonLooksFirst.class);
  }

  abstract static class IdleRace extends HeapRace {

    IdleRace(HeapView heap) {
      super(heap);
    }

    final void runUpkeep() {
      boolean more = true;
      while (more) {
        more = heap.runUpkeep();
      }
    }
  }

  /** Upkeep runs, and perhaps once more, while the page's blocks are released. */
  public static class IdleTrim extends IdleRace {

    public IdleTrim() {
      this(RealHeap.owned(2));
    }

    IdleTrim(HeapView heap) {
      super(heap);
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
      runUpkeep();
      requireGivenBackOnce();
    }
  }

  public static final class IdleTrimLeavesQueuedPages extends IdleTrim {
    public IdleTrimLeavesQueuedPages() {
      super(HeapBugs.trimLeavesQueuedPages(2));
    }
  }

  public static final class IdleTrimWithoutRequest extends IdleTrim {
    public IdleTrimWithoutRequest() {
      super(HeapBugs.tellsWithoutRequest(2));
    }
  }

  /** An abandoned heap is adopted, and then left alone, while its last block is released. */
  public static class IdleAdopt extends IdleRace {

    public IdleAdopt() {
      this(RealHeap.owned(1));
    }

    IdleAdopt(HeapView heap) {
      super(heap);
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
      runUpkeep();
      requireGivenBackOnce();
    }
  }

  public static final class IdleAdoptWithoutRequest extends IdleAdopt {
    public IdleAdoptWithoutRequest() {
      super(HeapBugs.adoptsWithoutRequest(1));
    }
  }

  /** An owner leaves while a releaser asks it for upkeep. */
  public static class IdleAbandon extends IdleRace {

    public IdleAbandon() {
      this(RealHeap.owned(1));
    }

    IdleAbandon(HeapView heap) {
      super(heap);
      runUpkeep(); // the page is asked for
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

  public static final class IdleAbandonLooksFirst extends IdleAbandon {
    public IdleAbandonLooksFirst() {
      super(HeapBugs.tellLooksForTheOwnerFirst(1));
    }
  }
}
