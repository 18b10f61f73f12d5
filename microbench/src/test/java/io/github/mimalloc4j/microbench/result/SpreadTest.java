package io.github.mimalloc4j.microbench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void middleIsTheMedian() {
    assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
    assertThat(Spread.of(List.of(4.0, 1.0, 9.0, 2.0))).isEqualTo(new Spread(3, 1, 9));
    assertThat(Spread.of(0.1)).isEqualTo(Spread.of(List.of(0.1)));
    assertThatThrownBy(() -> Spread.of(List.of())).hasMessage("no values");
  }

  @Test
  void roundsAreComparedOneByOne() {
    Spread ratio = Spread.ofRounds(List.of(40.0, 150.0, 90.0), List.of(10.0, 30.0, 20.0));

    assertThat(ratio).isEqualTo(new Spread(4.5, 4, 5));
    assertThat(ratio.text()).isEqualTo("4.50");
    assertThat(ratio.range()).isEqualTo("4.00..5.00");
    assertThat(ratio.at(7)).containsExactly(7, 4.5, 4, 5);
  }

  @Test
  void otherMeasurementsAreComparedEachWithEach() {
    Spread ratio = Spread.ofAllPairs(List.of(5.0, 10.0), List.of(10.0, 20.0, 40.0));

    assertThat(ratio).as("0.125 0.25 0.25 0.5 0.5 1").isEqualTo(new Spread(0.375, 0.125, 1));
  }

  @Test
  void lossesAreMediansBelowOne() {
    Against loss = new Against("b", "p", "POOLED", "time", new Spread(0.99, 0.5, 2));

    assertThat(loss.isLoss()).isTrue();
    assertThat(new Against("b", "p", "POOLED", "time", Spread.of(1)).isLoss()).isFalse();
  }
}
