package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WorkloadsTest {
  private static final int REQUESTS = 100;

  static Stream<Arguments> combinations() {
    return Workloads.named("http,plaintext,resp").stream()
        .flatMap(
            workload ->
                Arrays.stream(AllocatorKind.values())
                    .flatMap(
                        kind ->
                            Arrays.stream(Transport.values())
                                .map(transport -> Arguments.of(workload.name(), kind, transport))));
  }

  /** The other applications have tests of the same kind, under strict leak detection. */
  @ParameterizedTest
  @MethodSource("combinations")
  void requestsAreAnsweredAndNothingIsLeftBehind(
      String name, AllocatorKind kind, Transport transport) throws Exception {
    assumeTrue(transport.isAvailable(), transport + " was NOT run: not available here");
    Workload workload = Workloads.named(name).get(0);
    ByteBufAllocator allocator = kind.create();

    try (Server server = workload.server().start(new Environment(allocator, transport, 1))) {
      assertThat(OneConnection.run(workload.client(), server.port(), REQUESTS))
          .hasSize(REQUESTS)
          .containsOnly("correct");
      await().untilAsserted(() -> assertThat(pinnedBytes(kind, allocator)).isZero());
    }
  }

  /** Bytes of live buffers; 0 where the allocator does not tell. */
  private static long pinnedBytes(AllocatorKind kind, ByteBufAllocator allocator) {
    return Arrays.stream(BufferKind.values())
        .mapToLong(buffers -> kind.pinnedBytes(allocator, buffers).orElse(0))
        .sum();
  }

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
