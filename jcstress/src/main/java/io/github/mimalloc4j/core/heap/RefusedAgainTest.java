package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Who was told of a refusal asks again while another thread asks; one of them is refused. */
@JCStressTest
@Outcome(id = "a run is to come", expect = ACCEPTABLE, desc = "The second request was accepted.")
@Outcome(id = "asked again later", expect = ACCEPTABLE, desc = "It was refused, and that is told.")
@Outcome(expect = FORBIDDEN, desc = "A refusal was forgotten.")
@State
public class RefusedAgainTest {

  private final AtomicInteger refusals = new AtomicInteger(2);
  private final Upkeep upkeep = new Upkeep(this::accept, 1, () -> {}, this::tell);
  private volatile boolean told;

  public RefusedAgainTest() {
    upkeep.request();
  }

  private void accept(Runnable run, long delay) {
    if (refusals.getAndDecrement() > 0) {
      throw new RejectedExecutionException("the queue is full");
    }
  }

  private void tell() {
    told = true;
  }

  @Actor
  public void whoWasTold() {
    told = false;
    upkeep.requestRefused();
  }

  @Actor
  public void another() {
    upkeep.request();
  }

  @Arbiter
  public void atRest(L_Result result) {
    if (upkeep.isRequested()) {
      result.r1 = "a run is to come";
    } else {
      result.r1 = told && upkeep.isRefused() ? "asked again later" : "nobody asks again";
    }
  }
}
