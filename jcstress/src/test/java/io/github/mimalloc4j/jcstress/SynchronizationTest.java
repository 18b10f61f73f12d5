package io.github.mimalloc4j.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.openjdk.jcstress.infra.runners.TestList;

/** The table of {@code docs/synchronization.md} names all protocols and tests, and no others. */
class SynchronizationTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern HEADING = Pattern.compile("(?m)^### ([A-Z]\\d\\. .*)$");
  private static final Pattern ARGUMENT = Pattern.compile("\\(#([\\w-]+)\\)");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final String PLANTED = "Planted";
  private static final String TEST = "Test";
  private static final String MODEL_CHECKING = "ModelChecking" + TEST;

  private String document;
  private List<Row> rows;

  /** A row of the table; in Markdown each cell stands between bars. */
  private record Row(String protocols, String stress, String modelChecking, String planted) {
    static Row of(String line) {
      String[] cells = line.split("\\|");
      return new Row(cells[1], cells[3], cells[4], cells[5]);
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
  void eachRowHasTestsAndBugs() {
    assertThat(rows)
        .allSatisfy(row -> assertThat(row.stress).containsPattern(NAME))
        .allSatisfy(row -> assertThat(row.planted).containsPattern(NAME))
        .allSatisfy(row -> assertThat(row.modelChecking).contains(MODEL_CHECKING));
  }

  @Test
  void stressTestsAreThoseThatExist() {
    assertThat(rows.stream().flatMap(row -> all(NAME, row.stress)))
        .containsExactlyInAnyOrderElementsOf(stressTests(TEST));
  }

  @Test
  void plantedBugsAreThoseThatExist() {
    assertThat(rows.stream().flatMap(row -> all(NAME, row.planted)))
        .containsExactlyInAnyOrderElementsOf(stressTests(PLANTED));
  }

  @Test
  void modelCheckingTestsAreThoseThatExist() throws IOException {
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

  /** The stress tests with the ending, without it. */
  private static List<String> stressTests(String ending) {
    return TestList.tests().stream()
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .filter(name -> name.endsWith(ending))
        .map(name -> name.substring(0, name.length() - ending.length()))
        .toList();
  }

  private static Map<String, String> modelCheckingSources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(SynchronizationTest::files)
          .filter(file -> name(file).endsWith(MODEL_CHECKING))
          .collect(Collectors.toMap(SynchronizationTest::name, SynchronizationTest::content));
    }
  }

  private static Stream<Path> files(Path directory) {
    try {
      return Files.walk(directory);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1));
  }
}
