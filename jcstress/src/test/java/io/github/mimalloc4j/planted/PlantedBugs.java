package io.github.mimalloc4j.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.planted.Laboratory.Effort;
import io.github.mimalloc4j.planted.Laboratory.Report;
import io.github.mimalloc4j.planted.Laboratory.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plants each bug of {@code src/test/planted} and demands that its tests find it: tests that do not
 * find a mistake that is there prove nothing.
 *
 * <p>Not among the tests of each build, for it takes minutes. {@code -Dplanted=...} plants those of
 * which the name matches.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlantedBugs {

  private static final String WANTED = System.getProperty("planted", ".*");

  /** One of them often waits for a JVM, or is Lincheck's, which uses one processor. */
  private static final int AT_A_TIME = 2;

  private final ExecutorService executor = Executors.newFixedThreadPool(AT_A_TIME);
  private int planted;
  private int found;

  @TestFactory
  Stream<DynamicTest> eachIsFound(@TempDir Path folder) {
    List<PlantedBug> bugs =
        Sources.plantedBugs().stream().filter(bug -> bug.name().matches(WANTED)).toList();
    assertThat(bugs).as("planted bugs named " + WANTED).isNotEmpty();
    planted = bugs.size();
    Laboratory laboratory = new Laboratory(folder, Effort.USUAL);
    List<DynamicTest> tests =
        bugs.stream()
            .map(bug -> test(bug, executor.submit(() -> laboratory.examine(bug))))
            .toList();
    return tests.stream(); // all of them are under way
  }

  private DynamicTest test(PlantedBug bug, Future<Report> examination) {
    return DynamicTest.dynamicTest(
        bug.toString(),
        () -> {
          Report report = examination.get();
          System.out.printf(
              "%s %s (%s): %s%n", report.verdict(), bug, bug.title(), report.message());
          assertThat(report.verdict()).as(report.message()).isEqualTo(Verdict.FOUND);
          found++;
        });
  }

  @AfterAll
  void sum() {
    executor.shutdownNow();
    System.out.println(planted + " planted bugs, " + found + " found");
  }
}
