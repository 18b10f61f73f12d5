package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.GiveBackAndNoticeTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a notice is answered although its page was given back. */
@JCStressTest
@JCStressMeta(GiveBackAndNoticeTest.class)
@State
public class AnswerForGonePagePlanted extends GiveBackAndNoticeTest {

  public AnswerForGonePagePlanted() {
    super(HeapBugs.answersForGonePage(1));
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
