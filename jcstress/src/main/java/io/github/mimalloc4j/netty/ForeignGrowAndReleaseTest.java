package io.github.mimalloc4j.netty;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** As {@link GrowAndReleaseTest}, where the grower is not the owner of the page. */
@JCStressTest
@Outcome(id = "free, the grower was last", expect = ACCEPTABLE, desc = "It knows the place.")
@Outcome(id = "free, the owner was last", expect = ACCEPTABLE, desc = "It saw the new place.")
@Outcome(expect = FORBIDDEN, desc = "A place was released that was free already, or never.")
@State
public class ForeignGrowAndReleaseTest {

  private final RacedBuffer buffer = new RacedBuffer(2);
  private boolean grower;
  private boolean owner;

  @Actor
  public void grower() {
    buffer.awaitOwner();
    buffer.grow();
    grower = buffer.release();
  }

  @Actor
  public void owner() {
    buffer.own();
    buffer.awaitOther();
    buffer.awaitGrowth();
    owner = buffer.release();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (grower != owner && buffer.isAllFree()) {
      result.r1 = grower ? "free, the grower was last" : "free, the owner was last";
    } else {
      result.r1 = grower == owner ? "both the last: " + grower : "a place is not free";
    }
  }
}
