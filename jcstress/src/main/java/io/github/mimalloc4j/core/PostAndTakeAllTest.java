package io.github.mimalloc4j.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.mimalloc4j.core.heap.Notices;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads post pages to a mailbox, and one of them empties it between the other's posts. */
@JCStressTest
@Outcome(id = "each came out once", expect = ACCEPTABLE, desc = "Nothing lost, nothing doubled.")
@Outcome(expect = FORBIDDEN, desc = "A page was lost or came out twice.")
@State
public class PostAndTakeAllTest {

  private final Notices mailbox;
  private int taken;

  public PostAndTakeAllTest() {
    this(Notices.real(3));
  }

  protected PostAndTakeAllTest(Notices mailbox) {
    this.mailbox = mailbox;
  }

  @Actor
  public void releaser() {
    mailbox.post(0);
    mailbox.post(1);
  }

  @Actor
  public void holder() {
    mailbox.post(2);
    taken = mailbox.takeAll();
  }

  @Arbiter
  public void atRest(L_Result result) {
    int all = taken + mailbox.takeAll();
    result.r1 = all == 111 ? "each came out once" : "pages came out, a digit each: " + all;
  }
}
