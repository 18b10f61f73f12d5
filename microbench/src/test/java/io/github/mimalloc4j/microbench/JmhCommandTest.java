package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmhCommandTest {
  @TempDir private Path folder;

  @Test
  void theFileOfResultsIsKnownFromTheArguments() {
    assertThat(JmhCommand.resultFile(words("Some -rf json -rff a.json")))
        .contains(Path.of("a.json"));
    assertThat(JmhCommand.resultFile(words("-rf json"))).contains(Path.of("jmh-result.json"));
    assertThat(JmhCommand.resultFile(words("Some -rf csv -rff a.csv"))).isEmpty();
    assertThat(JmhCommand.resultFile(words("Some"))).isEmpty();
    assertThat(JmhCommand.resultFile(words("-rf"))).isEmpty();
  }

  /** JMH does not. */
  @ParameterizedTest
  @CsvSource({
    "-p live=128 AllocationPatternBenchmark, ",
    "AllocationPatternBenchmark -p live=128 -p toch=ALL, toch",
    "-p toch=ALL, toch",
    "NoSuchBenchmark -p toch=ALL, ",
    "-h, "
  })
  void aParameterThatNoBenchmarkHasIsFound(String arguments, @Nullable String unknown) {
    assertThat(JmhCommand.unknownParameter(arguments.split(" ")))
        .isEqualTo(Optional.ofNullable(unknown));
  }

  @Test
  void theEnvironmentIsAddedToEachResultAndReadAgain() throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(
        file,
        """
        [{"jdkVersion": "17", "vmName": "V", "vmVersion": "1", "jvmArgs": ["-Da=b", "-Dc=<d>"],
          "score": 1.2345678901234567890, "error": "NaN"},
         {"environment": {"netty": "from elsewhere"}}]
        """);

    JmhCommand.addEnvironment(file);

    JsonArray results = JsonParser.parseString(Files.readString(file)).getAsJsonArray();
    JsonObject first = results.get(0).getAsJsonObject();
    assertThat(first.get("score").getAsString()).isEqualTo("1.2345678901234567890");
    assertThat(first.get("error").getAsString()).isEqualTo("NaN");
    assertThat(first.get("jvmArgs").toString()).isEqualTo("[\"-Da=b\",\"-Dc=<d>\"]");
    Machine machine = Records.JSON.fromJson(first.get("environment"), Machine.class);
    assertThat(machine).isEqualTo(Machine.here());
    assertThat(machine.netty()).startsWith("4.");
    assertThat(machine.cpu()).endsWith(" processors");
    assertThat(results.get(1).toString())
        .as("what a file says already")
        .isEqualTo("{\"environment\":{\"netty\":\"from elsewhere\"}}");
  }

  @Test
  void filesWithoutResultsStayAsTheyAre() throws Exception {
    Path file = folder.resolve("results.json");
    Files.writeString(file, "");

    JmhCommand.addEnvironment(file);

    assertThat(file).isEmptyFile();
  }

  private static String[] words(String line) {
    return line.split(" ");
  }
}
