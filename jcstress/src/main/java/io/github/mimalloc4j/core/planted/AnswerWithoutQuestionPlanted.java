package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.LateNoticeTest;
import io.github.mimalloc4j.core.heap.HeapBugs;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Planted bug: a notice that finds nothing is not followed by a new question. */
@JCStressTest
@JCStressMeta(LateNoticeTest.class)
@State
public class AnswerWithoutQuestionPlanted extends LateNoticeTest {

  public AnswerWithoutQuestionPlanted() {
    super(HeapBugs.answersWithoutQuestion(4));
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
