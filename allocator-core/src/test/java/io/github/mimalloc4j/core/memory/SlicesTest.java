package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlicesTest {

  @Test
  void countRoundsUpWithoutOverflow() {
    assertThat(Slices.count(1)).isEqualTo(1);
    assertThat(Slices.count(Slices.BYTES)).isEqualTo(1);
    assertThat(Slices.count(Slices.BYTES + 1)).isEqualTo(2);
    assertThat(Slices.count(Integer.MAX_VALUE)).isEqualTo(131_072);
  }
}
