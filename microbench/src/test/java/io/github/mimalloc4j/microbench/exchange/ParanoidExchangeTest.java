package io.github.mimalloc4j.microbench.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole exchanges lose no buffer, under Netty's strictest leak detection. */
@Timeout(180)
class ParanoidExchangeTest {

  private static final String REPORT = "reported: ";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void nothingIsLost(Protocol protocol) throws Exception {
    List<String> output = run(protocol, false);
    assertThat(output).contains("pinned: 0");
    // The one that the program loses last shows that the detector saw the others, too.
    assertThat(reports(output)).containsExactly("lost last");
  }

  /** Beside it, buffers may be reported that it consists of, or is a part of. */
  @ParameterizedTest
  @EnumSource
  void whatIsLostOnPurposeIsReported(Protocol protocol) throws Exception {
    List<String> output = run(protocol, true);
    assertThat(output).doesNotContain("pinned: 0");
    assertThat(reports(output)).contains("lost on purpose", "lost last");
  }

  private static List<String> reports(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(REPORT))
        .map(line -> line.substring(REPORT.length()))
        .toList();
  }

  private List<String> run(Protocol protocol, boolean losing) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dio.netty.leakDetection.level=paranoid");
    command.add("-Dio.netty.leakDetection.targetRecords=10000"); // the hint must not be dropped
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ParanoidExchange.class.getName());
    command.add(protocol.name());
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
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return Files.readAllLines(output);
  }
}
