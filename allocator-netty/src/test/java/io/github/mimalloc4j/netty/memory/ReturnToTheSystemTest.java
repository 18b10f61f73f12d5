package io.github.mimalloc4j.netty.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the machine sees: memory that no buffer uses is not resident any more. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReturnToTheSystemTest {

  @Test
  void aBurstIsNotResidentAnyMore() {
    assumeTrue(ResidentMemory.bytes() != ProcessStatistics.UNKNOWN, "resident memory is unknown");
    OtherJvm.run(
            ResidentMemoryPrograms.Bursts.class,
            "-Xms128m",
            "-Xmx128m",
            "-XX:+AlwaysPreTouch",
            "-XX:MaxDirectMemorySize=1g")
        .assertSucceeded();
  }

  /** By its property or, where that is on, by the builder. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withTheOptionOffTheNativeHeapIsLeftAlone(boolean property) {
    OtherJvm.run(
            ResidentMemoryPrograms.OptionOff.class,
            "-Dio.netty.allocator.mimalloc.trimNativeHeap=" + property,
            "-Dio.netty.allocator.mimalloc.trimDelayMillis=20")
        .assertSucceeded();
  }

  @Test
  void whatIsAskedForIsDoneAtOnce() {
    assumeTrue(ResidentMemory.bytes() != ProcessStatistics.UNKNOWN, "resident memory is unknown");
    OtherJvm.run(ResidentMemoryPrograms.AtOnce.class).assertSucceeded();
  }

  @Test
  void withoutTheModuleOfJmxTheAllocatorWorksAndSaysSo() {
    String output =
        OtherJvm.run(
                ResidentMemoryPrograms.WithoutJmx.class,
                "--limit-modules=java.base,java.logging,jdk.unsupported,java.instrument")
            .assertSucceeded()
            .output();
    assertThat(output.lines().filter(line -> line.contains("C library")))
        .as("one line, at debug level")
        .singleElement()
        .asString()
        .startsWith("FINE")
        .contains("there is no module java.management");
  }
}
