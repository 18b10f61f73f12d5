package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.PushAndTakeAllTest;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: the owner reads the head and empties it in two steps. */
@JCStressTest
@JCStressMeta(PushAndTakeAllTest.class)
@State
public class TakeAllInTwoStepsPlanted extends PushAndTakeAllTest {

  public TakeAllInTwoStepsPlanted() {
    super(
        new SimpleDeferredSlots() {
          @Override
          public int takeAll() {
            int first = head.get();
            if (first < 0) {
              return NONE;
            }
            head.set(NONE); // a push in between is lost
            return first;
          }
        });
  }

  @Actor
  @Override
  public void releaser() {
    super.releaser();
  }

  @Actor
  @Override
  public void owner() {
    super.owner();
  }

  @Arbiter
  @Override
  public void atRest(L_Result result) {
    super.atRest(result);
  }
}
