package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchBudgetTest {

  private static final int FAILURES = 10_000;

  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5); // it overflows
  private final SearchBudget budget = new SearchBudget(nanoTime::get);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, SearchBudget.LOOKS})
  void fewAreLookedAtEachTime(int count) {
    assertThat(looks(count, FAILURES)).isEqualTo(FAILURES);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1024, 2", "1025, 3", "200000, 197"})
  void ofManyEachFailureLooksAtALimitedNumberOnAverage(int more, int failuresPerLook) {
    int looks = looks(SearchBudget.LOOKS + more, FAILURES);
    assertThat(looks).isEqualTo(1 + (FAILURES - 1) / failuresPerLook);
  }

  /** Even if memory was found in between, as at a limit where some is released all the time. */
  @ParameterizedTest
  @CsvSource({
    "10000, 20000000",
    "100000, 200000000",
    "500000, 1000000000",
    "2147483647, 1000000000",
  })
  void afterTwentyTimesWhatALookTakesOrASecondAFailureLooks(int count, long nanos) {
    for (int i = 0; i < 3; i++) {
      assertThat(looks(count, 5)).isOne();
      nanoTime.addAndGet(nanos - 1);
      assertThat(looks(count, 1)).isZero();
      nanoTime.addAndGet(1);
    }
  }

  private int looks(int count, int failures) {
    int looks = 0;
    for (int i = 0; i < failures; i++) {
      looks += budget.allows(count) ? 1 : 0;
    }
    return looks;
  }
}
