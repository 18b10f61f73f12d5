package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.page.PageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The picture of the README, and the results that it is made of. */
class StoredPictureTest {
  /** Of the table of all work. */
  private static final int COLUMNS = 8;

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

  @ParameterizedTest
  @ValueSource(ints = {17, 25})
  void tableOfTheFullRunIsThatOfTheStoredResults(int jdk) throws Exception {
    Path file = MEASUREMENTS.resolve("data").resolve("operations-jdk" + jdk + ".json");
    List<List<String>> rows =
        PageReader.rows(new Report(ResultFiles.read(List.of(file))).document().text());

    assertThat(PageReader.rows(Files.readString(MEASUREMENTS.resolve("2026-11-full-run.md"))))
        .containsAll(rows.stream().filter(row -> row.size() == COLUMNS).toList());
  }
}
