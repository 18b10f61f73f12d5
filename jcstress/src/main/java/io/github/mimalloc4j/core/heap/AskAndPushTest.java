package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The owner asks to be told while another thread pushes. */
@JCStressTest
@Outcome(id = "the releaser must tell", expect = ACCEPTABLE, desc = "The question came first.")
@Outcome(id = "the owner must look", expect = ACCEPTABLE, desc = "The push came first.")
@Outcome(expect = FORBIDDEN, desc = "Nobody, or both, or the slot is gone.")
@State
public class AskAndPushTest {

  private final DeferredList list = new DeferredList(1);
  private boolean asked;
  private boolean told;

  @Actor
  public void owner() {
    asked = list.ask();
  }

  @Actor
  public void releaser() {
    told = list.push(0);
  }

  @Arbiter
  public void atRest(L_Result result) {
    boolean there = list.takeAll() == 0;
    if (there && asked && told) {
      result.r1 = "the releaser must tell";
    } else if (there && !asked && !told) {
      result.r1 = "the owner must look";
    } else {
      result.r1 = "asked: " + asked + ", told: " + told + ", slot there: " + there;
    }
  }
}
