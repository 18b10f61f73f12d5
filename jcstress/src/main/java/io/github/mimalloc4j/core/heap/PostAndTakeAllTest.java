package io.github.mimalloc4j.core.heap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.List;
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

  private final Mailbox<Block> mailbox = new Mailbox<>();
  private final List<Page<Block>> pages = List.of(Page.none(), Page.none(), Page.none());
  private int taken;

  @Actor
  public void releaser() {
    mailbox.post(pages.get(0));
    mailbox.post(pages.get(1));
  }

  @Actor
  public void holder() {
    mailbox.post(pages.get(2));
    taken = takeAll();
  }

  @Arbiter
  public void atRest(L_Result result) {
    int all = taken + takeAll();
    result.r1 = all == 111 ? "each came out once" : "pages came out, a digit each: " + all;
  }

  /** Takes all and returns them, one decimal digit a page: how often it came out. */
  private int takeAll() {
    int digits = 0;
    for (Page<Block> page = mailbox.takeAll(); page != null; page = page.nextInMailbox) {
      digits += List.of(1, 10, 100).get(pages.indexOf(page));
    }
    return digits;
  }
}
