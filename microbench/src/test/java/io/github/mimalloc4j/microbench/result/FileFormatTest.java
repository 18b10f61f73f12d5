package io.github.mimalloc4j.microbench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records in files: all of them comes back, or there is an error that names what is missing. */
class FileFormatTest {
  enum Colour {
    RED
  }

  record Part(long count, @Nullable Double note) {}

  record Whole(Setup setup, Duration time, Map<Colour, List<Part>> parts) {}

  private static final FileFormat<Whole> FORMAT =
      new FileFormat<>(
          "whole 1",
          Whole.class,
          whole -> {
            throw new AssertionError();
          });

  @TempDir private Path folder;

  @Test
  void recordsSurviveTheFile() throws Exception {
    Path file = folder.resolve("file.json");
    Whole whole =
        new Whole(
            Setup.here(List.of("-Da=<b>")),
            Duration.ofMillis(250),
            Map.of(Colour.RED, List.of(new Part(1, null), new Part(0, 0.5))));

    FORMAT.write(file, whole);

    String text = Files.readString(file);
    assertThat(text).startsWith("{\"format\":\"whole 1\",").contains("-Da=<b>").endsWith("}\n");
    JsonElement json = JsonParser.parseString(text);
    assertThat(FORMAT.isIn(json)).isTrue();
    assertThat(FORMAT.read(json)).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | count is missing",
        "{\"note\": 1} | count is missing",
        "{\"count\": null} | count",
        "{\"count\": \"x\"} | NumberFormatException",
        "[1] | ",
        "7 | ",
      })
  void whatIsMissingIsNotMadeZero(String part, @Nullable String message) {
    assertThatThrownBy(() -> Records.JSON.fromJson(part, Part.class))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(message == null ? "" : message);
  }

  @Test
  void unknownNamesAreRefused() {
    record Painted(Colour colour) {}

    assertThatThrownBy(() -> Records.JSON.fromJson("{\"colour\": \"BLUE\"}", Painted.class))
        .hasMessage("colour is missing or unknown");
  }

  @Test
  void otherFilesAreNotOfTheFormat() {
    for (String text : List.of("[]", "1", "{}", "{\"format\": 1}", "{\"format\": \"whole 2\"}")) {
      assertThat(FORMAT.isIn(JsonParser.parseString(text))).as(text).isFalse();
    }
  }
}
