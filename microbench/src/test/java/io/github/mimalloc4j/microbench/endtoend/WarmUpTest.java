package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.endtoend.WarmUp.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private final List<String> steps = new ArrayList<>();

  /** A server whose compilers rest from some step on. */
  private Step server(String name, int restsFrom) {
    return new Step() {
      private int step;

      @Override
      public boolean run(Duration time) {
        steps.add(name + " " + time.toSeconds());
        return ++step >= restsFrom;
      }
    };
  }

  @Test
  void allServersAreWarmedUpForAsLongAsTheSlowestNeeds() throws Exception {
    WarmUp.run(Duration.ofSeconds(60), List.of(server("a", 1), server("b", 3)));

    assertThat(steps).containsExactly("a 5", "b 5", "a 5", "b 5", "a 5", "b 5");
  }

  @Test
  void theTimeIsLimited() throws Exception {
    WarmUp.run(Duration.ofSeconds(12), List.of(server("a", 9)));

    assertThat(steps).containsExactly("a 5", "a 5", "a 2");
  }
}
