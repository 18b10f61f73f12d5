package io.github.mimalloc4j.netty.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {

  @Test
  void isKnownWhereTheFileSystemOfProcessesIs() {
    boolean linux = Files.exists(Path.of("/proc/self/status"));
    if (linux) {
      assertThat(ResidentMemory.bytes()).as("a JVM").isBetween(16L << 20, 1L << 40);
    } else {
      assertThat(ResidentMemory.bytes()).isEqualTo(ProcessStatistics.UNKNOWN);
    }
  }

  @Test
  void theLineIsFoundAmongOthers() {
    String status = "Name:\tjava\nVmHWM:\t  200 kB\nVmRSS:\t  123 kB\nRssAnon:\t  100 kB\n";
    assertThat(ResidentMemory.parse(status)).isEqualTo(123 << 10);
  }

  @Test
  void withoutTheLineNothingIsKnown() {
    assertThat(ResidentMemory.parse("Name:\tjava\nVmHWM:\t  200 kB\n"))
        .isEqualTo(ProcessStatistics.UNKNOWN);
    assertThat(ResidentMemory.parse("VmRSS:\t  123")).isEqualTo(ProcessStatistics.UNKNOWN);
    assertThat(ResidentMemory.parse("")).isEqualTo(ProcessStatistics.UNKNOWN);
  }
}
