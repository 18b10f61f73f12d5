package io.github.mimalloc4j.microbench.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole exchanges lose no buffer, under Netty's strictest leak detection. */
@Timeout(180)
class ParanoidExchangeTest {

  @ParameterizedTest
  @EnumSource
  void nothingIsLost(Protocol protocol) throws Exception {
    List<String> output = run(protocol, false);
    assertThat(output).contains("pinned: 0");
    // The one that the program loses last shows that the detector saw the others, too.
    assertThat(reports(output)).containsExactly(LeakReports.LOST_LAST);
  }

  /** Beside it, buffers may be reported that it consists of, or is a part of. */
  @ParameterizedTest
  @EnumSource
  void whatIsLostOnPurposeIsReported(Protocol protocol) throws Exception {
    List<String> output = run(protocol, true);
    assertThat(output).doesNotContain("pinned: 0");
    assertThat(reports(output)).contains(Loss.HINT, LeakReports.LOST_LAST);
  }

  private static List<String> reports(List<String> output) {
    return output.stream()
        .filter(line -> line.startsWith(LeakReports.REPORT))
        .map(line -> line.substring(LeakReports.REPORT.length()))
        .toList();
  }

  private static List<String> run(Protocol protocol, boolean losing) throws Exception {
    List<String> flags =
        List.of(
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.targetRecords=10000"); // the hint must not be dropped
    List<String> arguments = List.of(protocol.name(), Boolean.toString(losing));
    try (ChildProcess program =
        ChildProcess.startJvm(
            protocol.name(), flags, ParanoidExchange.class, arguments, line -> false)) {
      return program.awaitSuccess(Duration.ofSeconds(150)).lines().toList();
    }
  }
}
