package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.RetainAndReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a retain reads and writes the count in two steps. */
@JCStressTest
@JCStressMeta(RetainAndReleaseTest.class)
@State
public class RetainInTwoStepsPlanted extends RetainAndReleaseTest {

  public RetainInTwoStepsPlanted() {
    super(BufferBugs.retainsInTwoSteps(2));
  }

  @Actor
  @Override
  public void borrower() {
    super.borrower();
  }

  @Actor
  @Override
  public void other() {
    super.other();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
