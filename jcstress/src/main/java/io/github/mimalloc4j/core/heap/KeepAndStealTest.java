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
 * A heap keeps a large page, its owner takes it and has the heap keep another one, while a thread
 * steals what the heap keeps.
 */
@JCStressTest
@Outcome(id = "right", expect = ACCEPTABLE, desc = "Each page has one user, or none.")
@Outcome(expect = FORBIDDEN, desc = "Slices are lost, or have two users.")
@State
public class KeepAndStealTest {

  private final RacedKeptPage pages = new RacedKeptPage();

  @Actor
  public void owner() {
    pages.own();
    pages.releaseFirst();
    pages.take();
    pages.releaseSecond();
  }

  @Actor
  public void thief() {
    pages.steal();
  }

  @Arbiter
  public void atRest(L_Result result) {
    result.r1 = pages.fate();
  }
}
