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

  /** A page is given back and a heap forgotten while somebody reads. */
  public static class ReadAndKeepUp extends ModelChecking.Race {

    private final RacedAllocator heaps = RacedAllocator.withCounts();
    private long first;
    private long second;

    @Override
    protected void doOurs() {
      first = heaps.allocations();
      second = heaps.allocations();
    }

    @Override
    protected void doTheirs() {
      heaps.runUpkeep();
    }

    @Override
    public void atRest() {
      require(first <= second, "the count went back");
      require(second <= RacedAllocator.ALLOCATIONS, "an allocation was counted twice");
      require(heaps.allocations() == RacedAllocator.ALLOCATIONS, "the last reading is wrong");
    }
  }
}
