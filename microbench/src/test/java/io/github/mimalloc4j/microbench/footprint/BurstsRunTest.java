package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.microbench.footprint.BurstsRun.Burst;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bursts at a small scale, in this JVM. */
class BurstsRunTest {
  private static final long MIB = 1 << 20;
  private static final BurstsRun SMALL =
      new BurstsRun(
          "POOLED", new FootprintPlan(64 * MIB, Duration.ofMillis(50), 1), "uniform 64 100000", 3);

  @Test
  void afterEachBurstItsAllocatorTellsWhatIsUsed() throws Exception {
    assumeTrue(ResidentMemory.bytes().isPresent());
    List<String> begun = new ArrayList<>();

    List<Burst> bursts = SMALL.measure(begun::add).bursts();

    assertThat(begun).containsExactly("1", "2", "3");
    assertThat(bursts).hasSize(3);
    assertThat(bursts)
        .as("this allocator keeps all")
        .allSatisfy(burst -> assertThat(burst.used()).isGreaterThan(64 * MIB));
  }
}
