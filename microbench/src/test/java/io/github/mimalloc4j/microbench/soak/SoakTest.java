package io.github.mimalloc4j.microbench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Short soaks of sound allocators. */
@Timeout(300)
class SoakTest {
  private static final long OPERATIONS = 400_000;

  static List<List<BufferKind>> kinds() {
    return List.of(
        List.of(BufferKind.values()), List.of(BufferKind.DIRECT), List.of(BufferKind.HEAP));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ourAllocatorPasses(List<BufferKind> kinds) throws Exception {
    Outcome outcome =
        Soaks.run(Soaks.subject(UnaryOperator.identity()), Soaks.options(OPERATIONS, kinds));

    assertSound(outcome);
    assertThat(outcome.notes())
        .filteredOn(note -> !note.contains("its address is unknown")) // there may be no way to it
        .singleElement()
        .asString()
        .startsWith("used");
  }

  @Test
  void ourAllocatorPassesOnABadDay() throws Exception {
    try (Failures failures = new Failures(Soaks.LIMIT_BYTES)) {
      Outcome outcome =
          Soaks.run(
              Subject.failing(failures, UnaryOperator.identity()),
              Soaks.options(OPERATIONS, List.of(BufferKind.values())));

      assertSound(outcome);
      assertThat(failures.hadEffect()).as(failures.summary()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "MIMALLOC", mode = EnumSource.Mode.EXCLUDE)
  void peersPassAsControls(AllocatorKind kind) throws Exception {
    assertSound(
        Soaks.run(Subject.of(kind), Soaks.options(OPERATIONS, List.of(BufferKind.values()))));
  }

  private static void assertSound(Outcome outcome) {
    assertThat(outcome.failure()).isNull();
    assertThat(outcome.traffic().operations()).isGreaterThanOrEqualTo(OPERATIONS);
    assertThat(outcome.traffic().byOperation())
        .containsOnlyKeys(Operation.values())
        .allSatisfy((operation, count) -> assertThat(count).as("%s", operation).isPositive());
    assertThat(outcome.traffic().checkedBytes()).isGreaterThan(OPERATIONS);
    assertThat(outcome.traffic().keptBytes()).as("of what was released").isZero();
    assertThat(outcome.pauses()).isGreaterThan(2);
    assertThat(outcome.lives()).as("threads").isGreaterThan(2 * ThreadKind.available().size());
    assertThat(outcome.mostLiveBuffers()).isGreaterThan(1);
    assertThat(outcome.mostLiveBytes()).isPositive();
  }
}
