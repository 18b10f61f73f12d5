package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOrderTest {
  /** Around powers of two, and more than a block of a column. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 1000, 200_000})
  void eventsOfSeveralThreadsArePutInOrderAndTiesStay(int count) {
    Random random = new Random(count);
    Columns.Longs times = new Columns.Longs();
    long time = 0;
    for (int i = 0; i < count; i++) {
      time = random.nextInt(50) == 0 ? random.nextInt(10_000) : time + random.nextInt(3);
      times.add(time);
    }
    int[] expected =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingLong(times::get))
            .mapToInt(Integer::intValue)
            .toArray();

    assertThat(TimeOrder.of(times)).isEqualTo(expected);
  }
}
