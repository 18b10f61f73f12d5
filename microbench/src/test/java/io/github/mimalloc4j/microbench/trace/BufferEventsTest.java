package io.github.mimalloc4j.microbench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferEventsTest {
  /** Around the size of a block, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000, 1 << 12, 100_000})
  void eventsOfSeveralThreadsArePutInOrderAndTiesStay(int count) {
    BufferEvents events = new BufferEvents();
    Random random = new Random(count);
    long time = 0;
    for (int i = 0; i < count; i++) {
      time = random.nextInt(50) == 0 ? random.nextInt(10_000) : time + random.nextInt(3);
      boolean direct = i % 3 == 0;
      events.add(
          BufferEvents.Kind.values()[i % 3],
          time,
          i,
          "an.Allocator" + i % 2,
          direct,
          -i,
          i,
          2 * i,
          i % 5,
          Integer.MAX_VALUE);
    }

    int[] order = events.inOrderOfTime();

    assertThat(order).hasSize(count).doesNotHaveDuplicates();
    for (int i = 0; i < count; i++) {
      int event = order[i];
      if (i > 0) {
        int before = order[i - 1];
        assertThat(events.time(before)).isLessThanOrEqualTo(events.time(event));
        assertThat(before < event || events.time(before) < events.time(event)).isTrue();
      }
      assertThat(events.kind(event).ordinal()).isEqualTo(event % 3);
      assertThat(events.direct(event)).isEqualTo(event % 3 == 0);
      assertThat(events.allocators().get(events.allocator(event))).endsWith("r" + event % 2);
      assertThat(events.thread(event)).isEqualTo(event);
      assertThat(events.address(event)).isEqualTo(-event);
      assertThat(events.size(event)).isEqualTo(event);
      assertThat(events.newCapacity(event)).isEqualTo(2 * event);
    }
  }
}
