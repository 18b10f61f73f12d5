package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The allocator is closed while another thread releases the last block of a shared heap. */
@JCStressTest
@Outcome(id = "all given back", expect = ACCEPTABLE, desc = "By the releaser or by whoever closes.")
@Outcome(expect = FORBIDDEN, desc = "Memory is kept that nobody uses.")
@State
public class CloseAndReleaseTest {

  private final RacedAllocator heaps = RacedAllocator.withoutUpkeep();

  public CloseAndReleaseTest() {
    heaps.keep();
    heaps.trim(); // the page is asked for
  }

  @Actor
  public void closer() {
    heaps.close();
  }

  @Actor
  public void releaser() {
    heaps.releaseKept();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = heaps.isNothingUsed() ? "all given back" : "kept";
  }
}
