package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.AskAndPushTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the owner looks at the head and writes its question in two steps. */
@JCStressTest
@JCStressMeta(AskAndPushTest.class)
@State
public class AskByPlainWritePlanted extends AskAndPushTest {

  public AskByPlainWritePlanted() {
    super(
        new SimpleDeferredSlots() {
          @Override
          public boolean ask() {
            boolean empty = head.get() == NONE;
            if (empty) {
              head.set(ASKED);
            }
            return empty;
          }
        });
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
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
