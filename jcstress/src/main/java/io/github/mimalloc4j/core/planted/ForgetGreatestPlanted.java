package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.CountsBugs;
import io.github.mimalloc4j.core.ReadAndKeepUpTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: what is read is told, also if it missed what is going. */
@JCStressTest
@JCStressMeta(ReadAndKeepUpTest.class)
@State
public class ForgetGreatestPlanted extends ReadAndKeepUpTest {

  public ForgetGreatestPlanted() {
    super(CountsBugs.forgetsTheGreatest());
  }

  @Actor
  @Override
  public void reader() {
    super.reader();
  }

  @Actor
  @Override
  public void upkeep() {
    super.upkeep();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
