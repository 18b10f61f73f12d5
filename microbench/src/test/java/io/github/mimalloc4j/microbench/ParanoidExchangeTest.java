package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole exchange over TLS loses no buffer, under Netty's strictest leak detection. */
@Timeout(180)
class ParanoidExchangeTest {

  @TempDir private Path directory;

  @ParameterizedTest(name = "losing one: {0}")
  @ValueSource(booleans = {false, true})
  void onlyWhatIsLostOnPurposeIsReported(boolean losing) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dio.netty.leakDetection.level=paranoid");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ParanoidExchange.class.getName());
    command.add(Boolean.toString(losing));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(150, TimeUnit.SECONDS)).as("ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isZero();
    // The one that the program loses last, to see that the detector sees it.
    assertThat(text).contains("reports: " + (losing ? 2 : 1));
  }
}
