package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** From 128 KiB to 8 MiB blocks are pooled and coalesced as all others: no size is a cliff. */
class LargeBlocksTest {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final TestAllocator test = new TestAllocator();
  private final Heap<TestBlock> heap = test.acquire();

  @AfterEach
  void invariantsHold() {
    test.check();
  }

  /** Each about 7 % above the one before, and those around powers of two. */
  static IntStream sizes() {
    IntStream steps = IntStream.iterate(128 * KIB, size -> size <= 8 * MIB, size -> size * 15 / 14);
    IntStream edges =
        IntStream.rangeClosed(17, 23)
            .flatMap(power -> IntStream.of(-1, 0, 1).map(delta -> (1 << power) + delta))
            .filter(size -> size <= 8 * MIB);
    return IntStream.concat(steps, edges);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void oneAtATimeObtainsMemoryOnce(int size) {
    for (int i = 0; i < 1000; i++) {
      heap.allocate(size).begin().release();
    }
    assertThat(test.source.calls()).isOne();
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aBlockIsAtMostAnEighthLargerThanTheRequest(int size) {
    assertThat(heap.allocate(size).begin().size()).isBetween(size, size + size / 8);
  }

  /** As a queue of a proxy does: a few alive, released in the order of their allocation. */
  @ParameterizedTest
  @MethodSource("sizes")
  void aFewAtATimeObtainNothingAfterTheFirstRound(int size) {
    Deque<TestBlock> live = new ArrayDeque<>();
    for (int i = 0; i < 8; i++) {
      live.add(heap.allocate(size).begin());
    }
    int calls = test.source.calls();
    for (int i = 0; i < 1000; i++) {
      live.remove().release();
      live.add(heap.allocate(size).begin());
    }
    assertThat(test.source.calls()).isEqualTo(calls);
  }

  @Test
  void upTo128KiBABlockIsOfAHeap() {
    assertThat(heap.allocate(128 * KIB).page.heap()).isSameAs(heap);
    assertThat(heap.allocate(128 * KIB + 1).page.heap()).isNull();
  }

  @Test
  void neighboursThatWereReleasedAreOneGapAgain() {
    List<TestBlock> small = new ArrayList<>();
    while (test.source.usedBytes() < 64 * MIB) {
      small.add(heap.allocate(200 * KIB).begin());
    }
    int calls = test.source.calls();
    small.forEach(TestBlock::release);
    for (int i = 0; i < 40; i++) {
      heap.allocate(800 * KIB).begin();
    }
    assertThat(test.source.calls()).isEqualTo(calls);
  }
}
