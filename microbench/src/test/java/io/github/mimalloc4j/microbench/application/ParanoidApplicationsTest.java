package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All applications answer correctly with each allocator over each transport, lose no buffer under
 * Netty's strictest leak detection, and leave none behind.
 */
@Timeout(180)
class ParanoidApplicationsTest {
  private static final String REPORT = "reported: ";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = "UNPOOLED", mode = EnumSource.Mode.EXCLUDE)
  void nothingIsWrongOrLost(AllocatorKind kind) throws Exception {
    List<String> output = run(kind);
    String all = ParanoidApplications.CONNECTIONS * ParanoidApplications.REQUESTS + " correct";
    assertThat(output)
        .filteredOn(line -> line.contains(" over "))
        .containsExactlyElementsOf(
            Stream.of(Transport.values())
                .filter(Transport::isAvailable)
                .flatMap(transport -> Workloads.ALL.stream().map(each -> line(each, transport)))
                .map(what -> what + ": " + all + ", first error null, pinned 0")
                .toList());
    // The one that the program loses last shows that the detector saw the others, too.
    assertThat(output)
        .filteredOn(line -> line.startsWith(REPORT))
        .containsExactly(REPORT + ParanoidApplications.LOST_LAST);
  }

  private static String line(Workload workload, Transport transport) {
    return workload.name() + " over " + transport.optionName();
  }

  private List<String> run(AllocatorKind kind) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Dio.netty.leakDetection.level=paranoid");
    command.add("-Dio.netty.leakDetection.targetRecords=10000"); // the hint must not be dropped
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ParanoidApplications.class.getName());
    command.add(kind.name());
    command.add("all");
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
