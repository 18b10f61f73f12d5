package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The allocator is closed while a thread that owns no heap takes a block and releases it. */
@JCStressTest
@Outcome(id = "used, then closed", expect = ACCEPTABLE, desc = "All went back to the source.")
@Outcome(id = "refused", expect = ACCEPTABLE, desc = "Nothing was taken.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A block of a heap that nobody looks after, or allocation goes on.")
@State
public class CloseAndUseTest {

  private final RacedAllocator heaps = RacedAllocator.withRoom();
  private boolean used;

  @Actor
  public void closer() {
    heaps.close();
  }

  @Actor
  public void user() {
    used = heaps.use();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (!heaps.isNothingUsed()) {
      result.r1 = "memory is kept";
    } else if (heaps.use()) {
      result.r1 = "not closed";
    } else {
      result.r1 = used ? "used, then closed" : "refused";
    }
  }
}
