package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadsTest {
  @Test
  void namesAreUnique() {
    assertThat(Workloads.ALL.stream().map(Workload::name)).doesNotHaveDuplicates();
    assertThat(Workloads.named("all")).isEqualTo(Workloads.ALL);
  }

  @ParameterizedTest
  @CsvSource({
    "plaintext, plaintext:pipelined plaintext:single",
    "resp:lrange, resp:lrange",
    "'resp:get-set,plaintext:single', resp:get-set plaintext:single",
  })
  void areFoundByNames(String names, String found) {
    assertThat(Workloads.named(names).stream().map(Workload::name))
        .isEqualTo(List.of(found.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "plaintext:", "plaintext:x", "plaintext,", ":single"})
  void unknownNamesAreRefused(String names) {
    assertThatThrownBy(() -> Workloads.named(names))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("expected all, or some of [");
  }

  @Test
  void oneIsNotMeasuredTwice() {
    assertThatThrownBy(() -> Workloads.named("resp,resp:lrange"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resp:lrange is named twice");
  }
}
