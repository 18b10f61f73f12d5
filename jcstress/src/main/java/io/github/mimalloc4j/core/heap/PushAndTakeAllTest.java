package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads push at the same time, and one of them takes all between the other's pushes. (Two
 * actors, as in all races here, so that two cores suffice.)
 */
@JCStressTest
@Outcome(id = "each came out once", expect = ACCEPTABLE, desc = "Nothing lost, nothing doubled.")
@Outcome(expect = FORBIDDEN, desc = "A slot was lost, came out twice or had a wrong link.")
@State
public class PushAndTakeAllTest {

  private static final int CAPACITY = 4;
  private static final int BOUND = 8;

  private final DeferredList list = new DeferredList(CAPACITY);
  private final int[] taken = new int[CAPACITY];

  @Actor
  public void releaser() {
    list.push(0);
    list.push(1);
  }

  @Actor
  public void owner() {
    list.push(2);
    takeAll();
  }

  @Arbiter
  public void atRest(L_Result result) {
    takeAll();
    boolean once = taken[0] == 1 && taken[1] == 1 && taken[2] == 1 && taken[3] == 0;
    result.r1 = once ? "each came out once" : "0, 1, 2, 3 came out so often: " + counts();
  }

  private void takeAll() {
    int steps = 0; // a wrong link may make a circle
    for (int slot = list.takeAll();
        slot != DeferredList.NONE && steps < BOUND;
        slot = list.next(slot)) {
      taken[slot]++;
      steps++;
    }
  }

  private String counts() {
    return taken[0] + " " + taken[1] + " " + taken[2] + " " + taken[3];
  }
}
