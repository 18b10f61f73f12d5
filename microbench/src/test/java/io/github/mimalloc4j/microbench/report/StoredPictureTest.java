package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The picture of the README, and the results that it is made of. */
class StoredPictureTest {
  /** Of the table of all work. */
  private static final int COLUMNS = 8;

  private static final Pattern RATIO = Pattern.compile("\\d+\\.\\d+");

  private static final Path DOCS = Path.of("..", "docs");
  private static final Path MEASUREMENTS = DOCS.resolve("measurements");

  @TempDir private Path folder;

  @Test
  void itIsThatOfAllStoredResults() throws Exception {
    Path picture = folder.resolve("picture.svg");

    CommandRun run =
        CommandRun.of(
            new ReportCommand(),
            Stream.concat(
                    stored(),
                    Stream.of(
                        "--output",
                        folder.resolve("page.html").toString(),
                        "--picture",
                        picture.toString()))
                .toArray(String[]::new));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(DOCS.resolve("results.svg")).hasSameTextualContentAs(picture);
  }

  /** In the order in which a shell has them. */
  private static Stream<String> stored() throws IOException {
    try (Stream<Path> files = Files.list(MEASUREMENTS.resolve("data"))) {
      return files.map(Path::toString).sorted().toList().stream();
    }
  }

  /** All works on JDK 17; on 25 those whose time is near a peer's, or above. */
  @ParameterizedTest
  @CsvSource({"17, Infinity", "25, 1.3"})
  void rowsOfTheFullRunAreThoseOfTheStoredResults(int jdk, double below) throws Exception {
    Path file = MEASUREMENTS.resolve("data").resolve("operations-jdk" + jdk + ".json");
    List<List<String>> rows =
        PageReader.rows(new Report(ResultFiles.read(List.of(file))).document().text()).stream()
            .filter(row -> row.size() == COLUMNS && !(margin(row) >= below))
            .toList();

    assertThat(rows).isNotEmpty();
    assertThat(PageReader.rows(Files.readString(MEASUREMENTS.resolve("2026-11-full-run.md"))))
        .containsAll(rows);
  }

  /** The smaller one of the peers' ratios; not a number if one has none, as in the header. */
  private static double margin(List<String> row) {
    return Math.min(ratio(row.get(3)), ratio(row.get(4)));
  }

  private static double ratio(String cell) {
    Matcher number = RATIO.matcher(cell);
    return number.lookingAt() ? Double.parseDouble(number.group()) : Double.NaN;
  }
}
