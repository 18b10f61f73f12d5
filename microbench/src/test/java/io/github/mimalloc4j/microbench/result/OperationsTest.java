package io.github.mimalloc4j.microbench.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.result.Operation.Cost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationsTest {
  private static List<Against> against(Cost ours, Cost theirs) {
    Map<String, Cost> costs = Map.of("MIMALLOC", ours, "POOLED", theirs);
    Operation operation = new Operation("slices", "one", "Slices", Map.of(), costs);
    return new Operations("topic", "work", List.of(operation)).against();
  }

  @Test
  void timeMemoryAndGarbageAreCompared() {
    Cost ours = new Cost(10, null, 2.0, 40.0);
    Cost theirs = new Cost(15, Spread.of(1.5), 4.0, 0.0);

    assertThat(against(ours, theirs))
        .containsExactly(
            new Against("Slices", "one", "POOLED", "time", Spread.of(1.5)),
            new Against("Slices", "one", "POOLED", "used memory", Spread.of(2)),
            new Against("Slices", "one", "POOLED", "garbage", Spread.of(0)));
  }

  @Test
  void memoryThatNoSampleSawAndGarbageOfTheHarnessAreNot() {
    Cost some = new Cost(10, null, 2.0, 0.04);
    Cost none = new Cost(10, null, 0.0, 0.0);

    assertThat(against(some, none)).isEmpty();
    assertThat(against(none, some)).isEmpty();
  }
}
