package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.TwoHelpersTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a helper does not look again after it has opened the lock. */
@JCStressTest
@JCStressMeta(TwoHelpersTest.class)
@State
public class HelpOncePlanted extends TwoHelpersTest {

  public HelpOncePlanted() {
    super(HeapBugs.helpsOnce(2));
  }

  @Actor
  @Override
  public void one() {
    super.one();
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
