package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All applications answer correctly with each allocator over each transport, lose no buffer under
 * Netty's strictest leak detection, and leave none behind, also when clients leave in the midst of
 * requests.
 */
@Timeout(540)
class ParanoidApplicationsTest {
  @Test
  void nothingIsWrongOrLost() throws Exception {
    List<String> output = run("all");
    assertThat(output)
        .filteredOn(line -> line.contains(" over "))
        .containsExactlyElementsOf(ParanoidApplications.expected("all"));
    // What the program loses on purpose shows that the detector saw the others, too.
    assertThat(output)
        .as(() -> String.join("\n", output)) // has the records of what was lost
        .filteredOn(line -> line.startsWith(LeakReports.REPORT))
        .containsExactlyInAnyOrder(
            LeakReports.REPORT + ParanoidApplications.LOST_BY_A_SERVER,
            LeakReports.REPORT + LeakReports.LOST_LAST);
  }

  private static List<String> run(String workloads) throws Exception {
    List<String> flags =
        List.of(
            "-Dio.netty.leakDetection.level=paranoid",
            // Each buffer is watched, but not each access to it, which would take half as long
            // again.
            "-Dio.netty.leakDetection.acquireAndReleaseOnly=true");
    try (ChildProcess program =
        ChildProcess.startJvm(
            workloads, flags, ParanoidApplications.class, List.of(workloads), line -> false)) {
      return program.awaitSuccess(Duration.ofSeconds(500)).lines().toList();
    }
  }
}
