package io.github.mimalloc4j.planted;

import static io.github.mimalloc4j.planted.PlantedBug.Kind.MODEL;
import static io.github.mimalloc4j.planted.PlantedBug.Kind.STRESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.planted.PlantedBug.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * The table of {@code docs/synchronization.md} names all protocols, tests and planted bugs, and no
 * others. Each planted bug fits the source as it is, and each test has one to find.
 */
class SynchronizationTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern HEADING = Pattern.compile("(?m)^### ([A-Z]\\d\\. .*)$");
  private static final Pattern ARGUMENT = Pattern.compile("\\(#([\\w-]+)\\)");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern METHOD = Pattern.compile("@Test\\s+void (\\w+)\\(");
  private static final String TEST = "Test";
  private static final String MODEL_CHECKING = "ModelChecking" + TEST;

  private final List<PlantedBug> bugs = Sources.plantedBugs();
  private String document;
  private List<Row> rows;

  /** A row of the table; in Markdown each cell stands between bars. */
  private record Row(String protocols, String stress, String modelChecking, String planted) {
    static Row of(String line) {
      String[] cells = line.split("\\|");
      return new Row(cells[1], cells[2], cells[3], cells[4]);
    }

    List<String> stressTests() {
      return all(NAME, stress).map(name -> name + TEST).toList();
    }

    List<String> modelCheckingTests() {
      return all(NAME, modelChecking).filter(name -> name.endsWith(MODEL_CHECKING)).toList();
    }
  }

  @BeforeEach
  void readTable() throws IOException {
    document = Files.readString(ROOT.resolve("docs/synchronization.md"));
    rows =
        document
            .substring(document.indexOf("\n## Tests"))
            .lines()
            .filter(line -> line.matches("\\| \\[[A-Z]\\d].*"))
            .map(Row::of)
            .toList();
  }

  @Test
  void eachProtocolHasARow() {
    assertThat(rows.stream().flatMap(row -> all(ARGUMENT, row.protocols)))
        .containsExactlyInAnyOrderElementsOf(
            all(HEADING, document).map(SynchronizationTest::anchor).toList());
  }

  @Test
  void eachRowHasTestsOfBothKindsWithBugs() {
    assertThat(rows)
        .allSatisfy(row -> assertThat(tests(STRESS, row)).containsAnyElementsOf(row.stressTests()))
        .allSatisfy(
            row -> assertThat(tests(MODEL, row)).containsAnyElementsOf(row.modelCheckingTests()));
  }

  @Test
  void stressTestsAreThoseThatExist() {
    assertThat(rows.stream().flatMap(row -> row.stressTests().stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(stressTests());
  }

  @Test
  void plantedBugsAreThoseThatExist() {
    assertThat(rows.stream().flatMap(row -> all(NAME, row.planted)))
        .containsExactlyInAnyOrderElementsOf(bugs.stream().map(PlantedBug::name).toList());
    for (Row row : rows) {
      assertThat(bugs(row)).allMatch(bug -> row.protocols.contains("[" + bug.rule() + "]"));
    }
  }

  @Test
  void plantedBugsFitTheSource(@TempDir Path folder) {
    assertThat(bugs).allSatisfy(bug -> assertThat(Laboratory.edit(bug, folder)).isNotEmpty());
  }

  @Test
  void eachTestHasABugToFindAndExists() {
    assertThat(bugs.stream().flatMap(bug -> bug.tests(STRESS).stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(stressTests());
    assertThat(bugs.stream().flatMap(bug -> bug.tests(MODEL).stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(modelCheckingTests());
  }

  @Test
  void modelCheckingTestsAreThoseThatExist() {
    Map<String, String> sources = modelCheckingSources();
    assertThat(rows.stream().flatMap(row -> all(NAME, row.modelChecking)))
        .filteredOn(name -> name.endsWith(MODEL_CHECKING))
        .containsAll(sources.keySet());
    for (Row row : rows) {
      String source = "";
      for (String name : all(NAME, row.modelChecking).toList()) {
        if (name.endsWith(MODEL_CHECKING)) {
          assertThat(sources).containsKey(name);
          source = sources.get(name);
        } else {
          assertThat(source).containsPattern("class " + name + "\\b");
        }
      }
    }
  }

  /** What a link names a heading by. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private List<PlantedBug> bugs(Row row) {
    List<String> names = all(NAME, row.planted).toList();
    return bugs.stream().filter(bug -> names.contains(bug.name())).toList();
  }

  /** The classes of the tests that have to find one of the row's bugs. */
  private Stream<String> tests(Kind kind, Row row) {
    return bugs(row).stream()
        .flatMap(bug -> bug.tests(kind).stream())
        .map(test -> test.replaceFirst("#.*", ""));
  }

  private static List<String> stressTests() {
    return TestList.tests().stream()
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .toList();
  }

  /** The methods, as planted bugs name them. */
  private static List<String> modelCheckingTests() {
    return modelCheckingSources().entrySet().stream()
        .flatMap(entry -> all(METHOD, entry.getValue()).map(name -> entry.getKey() + "#" + name))
        .toList();
  }

  private static Map<String, String> modelCheckingSources() {
    return Sources.tests()
        .filter(file -> name(file).endsWith(MODEL_CHECKING))
        .collect(Collectors.toMap(SynchronizationTest::name, Sources::read));
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static Stream<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1));
  }
}
