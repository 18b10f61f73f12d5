package io.github.mimalloc4j.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.mimalloc4j.planted.PlantedBug.Change;
import io.github.mimalloc4j.planted.PlantedBug.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlantedBugFileTest {

  @Test
  void readsTestsAndChanges() {
    PlantedBug bug =
        only(
            """
            # a comment
            H1 NoLock: nobody locks
            stress OneTest
            stress OtherTest
            model ModelCheckingTest#nobodyLocks
            in Heap
            - lock();
            - look();
            + look();
            - unlock();
            in Page
            - gone
            """);
    assertThat(bug).hasToString("H1 NoLock");
    assertThat(bug.title()).isEqualTo("nobody locks");
    assertThat(bug.tests(Kind.STRESS)).containsExactly("OneTest", "OtherTest");
    assertThat(bug.tests(Kind.MODEL)).containsExactly("ModelCheckingTest#nobodyLocks");
    assertThat(bug.changes())
        .containsExactly(
            new Change("Heap", "lock();\nlook();", "look();"),
            new Change("Heap", "unlock();", ""),
            new Change("Page", "gone", ""));
  }

  @Test
  void blankLinesSeparateBugs() {
    String bug = "U1 %s: x\nstress T\nin C\n- x\n";
    assertThat(PlantedBugFile.parse(bug.formatted("One") + "\n\n" + bug.formatted("Other")))
        .extracting(PlantedBug::name)
        .containsExactly("One", "Other");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "U1 without a title\nstress T\nin C\n- x",
        "U1 X: without a test\nin C\n- x",
        "U1 X: without a change\nstress T",
        "U1 X: without a class\nstress T\n- x",
        "U1 X: nothing to replace\nstress T\nin C\n+ x",
        "U1 X: with what is no line of it\nstress T\nin C\n- x\n* y"
      })
  void refusesWhatIsIncomplete(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> PlantedBugFile.parse(text));
  }

  @Test
  void whiteSpaceOfTheSourceDoesNotMatter() {
    Change change = new Change("C", "a(b);\n  c();", "d();");
    assertThat(change.applyTo("x\n    a(b);\n\n    c();\ny")).isEqualTo("x\n    d();\ny");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a( b);", "a(b); a(b);"})
  void textHasToBeThereOnce(String source) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Change("C", "a(b);", "").applyTo(source));
  }

  private static PlantedBug only(String text) {
    List<PlantedBug> bugs = PlantedBugFile.parse(text);
    assertThat(bugs).hasSize(1);
    return bugs.get(0);
  }
}
