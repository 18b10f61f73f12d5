package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All applications answer correctly with each allocator over each transport, lose no buffer under
 * Netty's strictest leak detection, and leave none behind.
 */
@Timeout(180)
class ParanoidApplicationsTest {
  @TempDir private Path directory;

  @Test
  void nothingIsWrongOrLost() throws Exception {
    List<String> output = run("all");
    assertThat(output)
        .filteredOn(line -> line.contains(" over "))
        .containsExactlyElementsOf(ParanoidApplications.expected("all"));
    // The one that the program loses last shows that the detector saw the others, too.
    assertThat(output)
        .filteredOn(line -> line.startsWith(ParanoidApplications.REPORT))
        .containsExactly(ParanoidApplications.REPORT + ParanoidApplications.LOST_LAST);
  }

  private List<String> run(String workloads) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dio.netty.leakDetection.level=paranoid");
    // Each buffer is watched, but not each access to it, which would take half as long again.
    command.add("-Dio.netty.leakDetection.acquireAndReleaseOnly=true");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ParanoidApplications.class.getName());
    command.add(workloads);
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
