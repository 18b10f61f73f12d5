package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTest {
  @Test
  void roundsAreComparedOneByOne() {
    Ratio ratio = Ratio.ofRounds(List.of(40.0, 150.0, 90.0), List.of(10.0, 30.0, 20.0));

    assertThat(ratio).isEqualTo(new Ratio(4.5, 4, 5));
    assertThat(ratio.text()).isEqualTo("4.50");
    assertThat(ratio.spread()).isEqualTo("4.00..5.00");
    assertThat(ratio.isAgainstReference()).isFalse();
  }

  @Test
  void otherMeasurementsAreComparedEachWithEach() {
    Ratio ratio = Ratio.ofAllPairs(List.of(5.0, 10.0), List.of(10.0, 20.0, 40.0));

    assertThat(ratio).as("0.125 0.25 0.25 0.5 0.5 1").isEqualTo(new Ratio(0.375, 0.125, 1));
    assertThat(ratio.isAgainstReference()).isTrue();
  }
}
