package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.RetainAfterReleaseTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a wrong retain takes back what it added from the new user. */
@JCStressTest
@JCStressMeta(RetainAfterReleaseTest.class)
@State
public class TakeBackFromNewUserPlanted extends RetainAfterReleaseTest {

  public TakeBackFromNewUserPlanted() {
    super(BufferBugs.takesBackFromNewUser());
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
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
