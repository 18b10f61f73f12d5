package io.github.mimalloc4j.core;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No count is told twice while it changes its place, nor lost, nor does it go back. */
@Tag("model-checking")
class StatisticsModelCheckingTest {

  @Test
  void readingsGrowUpToTheTruth() {
    ModelChecking.check(ReadAndKeepUp.class);
  }

  @Test
  void readingTheSumLastCountsTwice() {
    ModelChecking.assertFound(SumLast.class);
  }

  @Test
  void addingToTheSumFirstCountsTwice() {
    ModelChecking.assertFound(SumFirst.class);
  }

  @Test
  void tellingWhatWasMissedGoesBack() {
    ModelChecking.assertFound(NoGreatest.class);
  }

  /** A page is given back and a heap forgotten while somebody reads. */
  public static class ReadAndKeepUp extends ModelChecking.Race {

    private final CountsView counts;
    private long first;
    private long second;

    public ReadAndKeepUp() {
      this(RealHeaps.counts());
    }

    ReadAndKeepUp(CountsView counts) {
      this.counts = counts;
    }

    @Override
    protected void doOurs() {
      first = counts.allocations();
      second = counts.allocations();
    }

    @Override
    protected void doTheirs() {
      counts.keepUp();
    }

    @Override
    public void atRest() {
      require(first <= second, "the count went back");
      require(second <= CountsView.ALLOCATIONS, "an allocation was counted twice");
      require(counts.allocations() == CountsView.ALLOCATIONS, "the last reading is wrong");
    }
  }

  public static final class SumLast extends ReadAndKeepUp {
    public SumLast() {
      super(CountsBugs.readsSumLast());
    }
  }

  public static final class SumFirst extends ReadAndKeepUp {
    public SumFirst() {
      super(CountsBugs.addsToSumFirst());
    }
  }

  public static final class NoGreatest extends ReadAndKeepUp {
    public NoGreatest() {
      super(CountsBugs.forgetsTheGreatest());
    }
  }
}
