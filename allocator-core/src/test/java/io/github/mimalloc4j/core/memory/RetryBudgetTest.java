package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {

  private static final int FAILURES = 10_000;

  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5); // it overflows
  private final RetryBudget budget = new RetryBudget(nanoTime::get);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, RetryBudget.LOOKS})
  void fewAreLookedAtEachTime(int count) {
    assertThat(looks(count, FAILURES, 7)).isEqualTo(FAILURES);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1024, 2", "1025, 3", "200000, 197"})
  void ofManyEachFailureLooksAtALimitedNumberOnAverage(int more, int failuresPerLook) {
    int looks = looks(RetryBudget.LOOKS + more, FAILURES, 7);
    assertThat(looks).isEqualTo(1 + (FAILURES - 1) / failuresPerLook);
  }

  @Test
  void theFirstFailureOfAnotherShortageLooks() {
    assertThat(looks(1_000_000, 20, 7)).isOne();
    assertThat(budget.allows(1_000_000, 8)).isTrue();
    assertThat(budget.allows(1_000_000, 8)).isFalse();
  }

  @Test
  void oneFailureASecondLooks() {
    assertThat(looks(1_000_000, 20, 7)).isOne();
    nanoTime.addAndGet(RetryBudget.NANOS - 1);
    assertThat(budget.allows(1_000_000, 7)).isFalse();
    nanoTime.addAndGet(1);
    assertThat(looks(1_000_000, 20, 7)).isOne();
  }

  private int looks(int count, int failures, long segmentsObtained) {
    int looks = 0;
    for (int i = 0; i < failures; i++) {
      looks += budget.allows(count, segmentsObtained) ? 1 : 0;
    }
    return looks;
  }
}
