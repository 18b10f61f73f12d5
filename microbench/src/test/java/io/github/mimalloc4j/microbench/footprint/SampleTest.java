package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {
  @Test
  void lineHoldsAllOfASample() {
    Sample sample = new Sample(12_345, Phase.CROSS_THREAD, 5L << 30, 4L << 30, 6L << 30);

    assertThat(sample.toLine()).isEqualTo("12345,CROSS_THREAD,5368709120,4294967296,6442450944");
    assertThat(Sample.parse(sample.toLine())).isEqualTo(sample);
  }

  @Test
  void residentMayBeUnknown() {
    Sample sample = new Sample(1, Phase.STEADY, 2, 3, null);

    assertThat(sample.toLine()).isEqualTo("1,STEADY,2,3,");
    assertThat(Sample.parse(sample.toLine())).isEqualTo(sample);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1,STEADY,2,3",
        "1,STEADY,2,3,4,5",
        "1,LUNCH,2,3,4",
        "x,STEADY,2,3,4",
        "warning"
      })
  void otherLinesAreRefused(String line) {
    assertThatThrownBy(() -> Sample.parse(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a sample: '" + line + "'");
  }
}
