package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored outputs of wrk 4.1.0 and h2load 1.52.0. */
class ToolOutputTest {
  @Test
  void figuresOfWrkAreRead() throws Exception {
    LoadResult result = ExternalLoad.parseWrk(stored("wrk.txt"));

    assertThat(result)
        .isEqualTo(
            new LoadResult(
                737,
                2.069513,
                new LoadResult.Latency(18_730, 273_975, 506_870, 530_993, 530_993),
                0,
                null));
  }

  @Test
  void errorsOfWrkAreCounted() throws Exception {
    LoadResult result =
        ExternalLoad.parseWrk(stored("wrk-errors.txt").replace("-read 0", "-read 2"));

    assertThat(result.errors()).isEqualTo(872);
    assertThat(result.firstError()).isEqualTo("wrk: 2 of kind read, 870 of kind status");
  }

  @Test
  void figuresOfH2loadAreReadFromItsOutputAndItsLog() throws Exception {
    LoadResult result =
        ExternalLoad.parseH2load(stored("h2load.txt"), stored("h2load.tsv").lines());

    assertThat(result.requests()).isEqualTo(3903);
    assertThat(result.seconds()).isEqualTo(1);
    assertThat(result.errors()).isZero();
    assertThat(result.firstError()).isNull();
    // The histogram keeps three digits.
    assertThat(result.latency().p50()).isCloseTo(734, within(1.0));
    assertThat(result.latency().p90()).isCloseTo(3408, within(4.0));
    assertThat(result.latency().p99()).isCloseTo(27_578, within(30.0));
    assertThat(result.latency().p999()).isCloseTo(35_800, within(40.0));
    assertThat(result.latency().max()).isCloseTo(35_825, within(40.0));
  }

  @Test
  void errorsOfH2loadAreCounted() throws Exception {
    LoadResult result = ExternalLoad.parseH2load(stored("h2load-errors.txt"), Stream.of());

    assertThat(result.errors()).isEqualTo(5121);
    assertThat(result.firstError()).contains("5121 failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unable to connect", "requests: many"})
  void otherOutputIsAnErrorThatShowsIt(String output) {
    assertThatThrownBy(() -> ExternalLoad.parseWrk(output))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(output);
    assertThatThrownBy(() -> ExternalLoad.parseH2load(output, Stream.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(output);
  }

  @Test
  void scriptOfWrkHasTheSizes() throws Exception {
    assertThat(ExternalLoad.script(new int[] {-1, 1024})).contains("local sizes = {-1,1024}\n");
  }

  private static String stored(String name) throws IOException {
    try (InputStream in = ToolOutputTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
