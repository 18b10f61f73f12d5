package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.CloseAndAcquireTest;
import io.github.mimalloc4j.core.HeapsBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: who acquires a heap does not look again whether the allocator was closed. */
@JCStressTest
@JCStressMeta(CloseAndAcquireTest.class)
@State
public class AcquireLooksOncePlanted extends CloseAndAcquireTest {

  public AcquireLooksOncePlanted() {
    super(HeapsBugs.acquireLooksOnce());
  }

  @Actor
  @Override
  public void closer() {
    super.closer();
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
