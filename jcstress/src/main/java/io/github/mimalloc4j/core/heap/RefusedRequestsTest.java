package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.RejectedExecutionException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads ask for upkeep, and the executor refuses: somebody else is told of it instead. */
@JCStressTest
@Outcome(
    id = "both reasons were seen",
    expect = ACCEPTABLE,
    desc = "By whoever was told, once or twice.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A request relied on one that was refused, and nobody was told after it.")
@State
public class RefusedRequestsTest {

  private static final UpkeepExecutor REFUSES =
      (run, delay) -> {
        throw new RejectedExecutionException("the executor has ended");
      };

  private final Upkeep upkeep = new Upkeep(REFUSES, 1, () -> {}, this::look);
  private volatile boolean one;
  private volatile boolean other;
  private volatile boolean oneSeen;
  private volatile boolean otherSeen;

  private void look() {
    if (one) {
      oneSeen = true;
    }
    if (other) {
      otherSeen = true;
    }
  }

  @Actor
  public void one() {
    one = true;
    upkeep.request();
  }

  @Actor
  public void other() {
    other = true;
    upkeep.request();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = oneSeen && otherSeen ? "both reasons were seen" : "a reason is missed";
  }
}
