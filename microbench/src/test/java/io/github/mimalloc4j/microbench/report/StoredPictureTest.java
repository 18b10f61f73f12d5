package io.github.mimalloc4j.microbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.command.CommandRun;
import io.github.mimalloc4j.microbench.compare.CompareResults;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Spread;
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

  /** The note was written before {@code compare} wrote files: its tables were copied. */
  @ParameterizedTest
  @ValueSource(ints = {17, 25})
  void ratiosOfOperationsAreThoseOfTheFullRun(int jdk) throws Exception {
    List<List<String>> rows =
        PageReader.rows(Files.readString(MEASUREMENTS.resolve("2026-11-full-run.md")));
    Path file = MEASUREMENTS.resolve("data").resolve("speed-jdk" + jdk + ".json");

    for (Against one :
        CompareResults.FORMAT.read(JsonParser.parseString(Files.readString(file))).ratios()) {
      assertThat(rows)
          .anySatisfy(
              row -> {
                assertThat(row.get(0)).isEqualTo(one.benchmark());
                assertThat(row).contains(text(one.ratio()));
              });
    }
  }

  private static String text(Spread ratio) {
    return ratio.low() == ratio.high()
        ? ratio.text()
        : "%s (%s)".formatted(ratio.text(), ratio.range());
  }
}
