package io.github.mimalloc4j.microbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
  @Test
  void eachGoesFirstInItsTurn() {
    assertThat(Turns.of(List.of(1, 2, 3), 0)).containsExactly(1, 2, 3);
    assertThat(Turns.of(List.of(1, 2, 3), 1)).containsExactly(2, 3, 1);
    assertThat(Turns.of(List.of(1, 2, 3), 5)).containsExactly(3, 1, 2);
  }
}
