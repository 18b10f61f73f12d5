package io.github.mimalloc4j.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.planted.Laboratory.Effort;
import io.github.mimalloc4j.planted.Laboratory.Report;
import io.github.mimalloc4j.planted.Laboratory.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only a bug that every test finds, by what the test looks for, counts as found. */
class LaboratoryTest {

  private static final String STRESS = "stress AskAndPushTest";
  private static final String MODEL =
      "model DeferredListModelCheckingTest#questionFailsOrPusherIsTold";
  private static final String WRONG =
      """
      - return top == ASKED;
      + return top != ASKED;
      """;
  private static final String SAME =
      """
      - return top == ASKED;
      + return ASKED == top;
      """;
  private static final String THROWS =
      """
      - return top == ASKED;
      + throw new IllegalStateException("planted");
      """;
  private static final String CANNOT_BE_INITIALIZED =
      """
      - "head", long.class
      + "no such field", int.class
      """;

  @TempDir private Path folder;

  @Test
  void findsByStressTest() throws Exception {
    Report report = examine(STRESS, WRONG);
    assertThat(report.verdict()).isEqualTo(Verdict.FOUND);
    assertThat(report.message()).startsWith("AskAndPushTest: asked: ");
  }

  @Test
  void findsByModelChecking() throws Exception {
    Report report = examine(MODEL, WRONG);
    assertThat(report.verdict()).isEqualTo(Verdict.FOUND);
    assertThat(report.message()).contains("#questionFailsOrPusherIsTold: at rest: asked: ");
  }

  @Test
  void findsWhereBothKindsDo() throws Exception {
    assertThat(examine(STRESS + "\n" + MODEL, WRONG).verdict()).isEqualTo(Verdict.FOUND);
  }

  @Test
  void doesNotApplyWhereTheTextIsNotThere() throws Exception {
    Report report = examine(STRESS, "- return top == NEVER_ASKED;");
    assertThat(report.verdict()).isEqualTo(Verdict.DOES_NOT_APPLY);
    assertThat(report.message()).contains("DeferredList has this 0 times", "NEVER_ASKED");
  }

  @Test
  void doesNotApplyWhereTheTextIsThereTwice() throws Exception {
    assertThat(examine(STRESS, "- int slot").verdict()).isEqualTo(Verdict.DOES_NOT_APPLY);
  }

  @Test
  void doesNotApplyToAClassThatIsNotThere() throws Exception {
    Report report = examine("U1 P: x\n" + STRESS + "\nin NoSuchClass\n- x");
    assertThat(report.verdict()).isEqualTo(Verdict.DOES_NOT_APPLY);
    assertThat(report.message()).contains("NoSuchClass");
  }

  @Test
  void tellsWhatDoesNotCompile() throws Exception {
    Report report = examine(STRESS, "- return top == ASKED;\n+ return nothing;");
    assertThat(report.verdict()).isEqualTo(Verdict.DOES_NOT_COMPILE);
    assertThat(report.message()).contains("DeferredList.java", "nothing");
  }

  @Test
  void isNotFoundByStressTestIfNothingIsWrong() throws Exception {
    assertThat(examine(STRESS, SAME).verdict()).isEqualTo(Verdict.NOT_FOUND);
  }

  @Test
  void isNotFoundByModelCheckingIfNothingIsWrong() throws Exception {
    assertThat(examine(MODEL, SAME).verdict()).isEqualTo(Verdict.NOT_FOUND);
  }

  @Test
  void isNotFoundIfOnlyOneOfTheTestsFindsIt() throws Exception {
    String other = "stress RequestAndRunTest";
    Report report = examine(STRESS + "\n" + other, WRONG);
    assertThat(report.verdict()).isEqualTo(Verdict.NOT_FOUND);
    assertThat(report.message()).contains("AskAndPushTest: asked", "RequestAndRunTest: all ");
  }

  @Test
  void exceptionInStressTestFindsNothing() throws Exception {
    Report report = examine(STRESS, THROWS);
    assertThat(report.verdict()).isEqualTo(Verdict.FAILED_OTHERWISE);
    assertThat(report.message()).contains("TEST_ERROR", "planted");
  }

  @Test
  void exceptionInModelCheckingFindsNothing() throws Exception {
    Report report = examine(MODEL, THROWS);
    assertThat(report.verdict()).isEqualTo(Verdict.FAILED_OTHERWISE);
    assertThat(report.message()).contains("LincheckAssertionError", "planted");
  }

  @Test
  void classThatCannotBeLoadedFindsNothing() throws Exception {
    for (String test : new String[] {STRESS, MODEL}) {
      assertThat(examine(test, CANNOT_BE_INITIALIZED).verdict())
          .as(test)
          .isEqualTo(Verdict.FAILED_OTHERWISE);
    }
  }

  @Test
  void testThatIsNotThereFindsNothing() throws Exception {
    String[] tests = {
      "stress NoSuchTest",
      "model NoSuchModelCheckingTest#nothing",
      "model DeferredListModelCheckingTest#nothing"
    };
    for (String test : tests) {
      assertThat(examine(test, WRONG).verdict()).as(test).isEqualTo(Verdict.FAILED_OTHERWISE);
    }
  }

  private Report examine(String tests, String change) throws Exception {
    return examine("D2 Planted: something is wrong\n" + tests + "\nin DeferredList\n" + change);
  }

  private Report examine(String bug) throws Exception {
    return new Laboratory(folder, new Effort(400, 1)).examine(PlantedBugFile.parse(bug).get(0));
  }
}
