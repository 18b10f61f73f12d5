package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.AdoptIdleAndReleaseTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the new owner does not look for what came while nobody was responsible. */
@JCStressTest
@JCStressMeta(AdoptIdleAndReleaseTest.class)
@State
public class AdoptWithoutRequestPlanted extends AdoptIdleAndReleaseTest {

  public AdoptWithoutRequestPlanted() {
    super(HeapBugs.adoptsWithoutRequest(1));
  }

  @Actor
  @Override
  public void adopter() {
    super.adopter();
  }

  @Actor
  @Override
  public void releaser() {
    super.releaser();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
