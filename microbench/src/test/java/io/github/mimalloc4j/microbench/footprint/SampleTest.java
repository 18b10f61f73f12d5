package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParseException;
import io.github.mimalloc4j.microbench.result.Records;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {
  @Test
  void jsonHoldsAllOfASample() {
    Sample sample = new Sample(12_345, Phase.CROSS_THREAD, 5L << 30, 4L << 30, 6L << 30);

    assertThat(Records.JSON.fromJson(Records.JSON.toJson(sample), Sample.class)).isEqualTo(sample);
  }

  @Test
  void residentMayBeUnknown() {
    Sample sample = new Sample(1, Phase.STEADY, 2, 3, null);

    assertThat(Records.JSON.fromJson(Records.JSON.toJson(sample), Sample.class)).isEqualTo(sample);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"micros\":1,\"phase\":\"STEADY\",\"used\":2}",
        "{\"micros\":1,\"phase\":\"LUNCH\",\"used\":2,\"live\":3}",
        "{\"micros\":\"x\",\"phase\":\"STEADY\",\"used\":2,\"live\":3}",
        "warning"
      })
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> Records.JSON.fromJson(text, Sample.class))
        .isInstanceOf(JsonParseException.class);
  }
}
