package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.DiscardAndAcquireTest;
import io.github.mimalloc4j.core.HeapsBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a heap is adopted that was discarded. */
@JCStressTest
@JCStressMeta(DiscardAndAcquireTest.class)
@State
public class AdoptDiscardedPlanted extends DiscardAndAcquireTest {

  public AdoptDiscardedPlanted() {
    super(HeapsBugs.adoptsDiscarded());
  }

  @Actor
  @Override
  public void upkeep() {
    super.upkeep();
  }

  @Actor
  @Override
  public void comer() {
    super.comer();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
