package io.github.mimalloc4j.netty.figures;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.blockBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.ThreadHeap.State;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which thread has how much. */
@ExtendWith(LeakDetectionOff.class)
class ThreadHeapFiguresTest {

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void eachOwnerHasItsName(ThreadKind kind) {
    try (ThreadKind.Group loops = new ThreadKind.Group(kind, 2)) {
      List<ByteBuf> live = new ArrayList<>();
      String little = loops.call(() -> hold(live, 10));
      String much = loops.call(() -> hold(live, 1000));
      live.add(ThreadKind.PLAIN.call(() -> allocator.directBuffer(1000)));
      live.add(allocator.directBuffer(1 << 20)); // large: of no thread heap
      MemoryStatistics memory = allocator.metric().direct();
      int block = blockBytes(live.get(0));
      assertThat(memory.byThreadHeap())
          .extracting(ThreadHeap::state, ThreadHeap::liveBytes)
          .contains(tuple(State.SHARED, (long) block))
          .startsWith(tuple(State.OWNED, 1000L * block));
      assertThat(memory.byThreadHeap().get(0).thread()).isEqualTo(much);
      assertThat(named(memory, little).liveBytes()).isEqualTo(10L * block);
      assertThat(sum(memory, true) + memory.bytes().large()).isEqualTo(memory.bytes().live());
      assertThat(sum(memory, false))
          .isEqualTo(memory.bytes().live() - memory.bytes().large() + memory.bytes().cached());
      assertThat(memory.byThreadHeap()).allMatch(heap -> heap.liveBytes() <= heap.pageBytes());
      live.forEach(ByteBuf::release); // by this thread: the owner still has the pages
      ThreadHeap after = named(allocator.metric().direct(), much);
      assertThat(after.liveBytes()).isZero();
      assertThat(after.pageBytes()).isPositive();
    }
  }

  private String hold(List<ByteBuf> live, int buffers) {
    for (int i = 0; i < buffers; i++) {
      live.add(allocator.directBuffer(1000));
    }
    Thread current = Thread.currentThread();
    return current.getName().isEmpty() ? "#" + current.getId() : current.getName();
  }

  private static ThreadHeap named(MemoryStatistics memory, String thread) {
    return memory.byThreadHeap().stream()
        .filter(heap -> heap.thread().equals(thread))
        .reduce((one, other) -> one.liveBytes() > other.liveBytes() ? other : one)
        .orElseThrow();
  }

  private static long sum(MemoryStatistics memory, boolean live) {
    return memory.byThreadHeap().stream()
        .mapToLong(heap -> live ? heap.liveBytes() : heap.pageBytes())
        .sum();
  }

  @Test
  void aThreadWithoutANameHasItsNumber() {
    assumeTrue(
        Arrays.asList(ThreadKind.available()).contains(ThreadKind.VIRTUAL_EVENT_LOOP),
        "no event loops on virtual threads");
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.VIRTUAL_EVENT_LOOP, 1)) {
      ByteBuf buffer = loops.call(() -> allocator.directBuffer(100));
      assertThat(allocator.metric().direct().byThreadHeap().get(0).thread()).matches("#\\d+");
      buffer.release();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofAThreadThatEndedTheHeapIsAbandonedAndThenTheNextOnes(boolean direct) {
    ByteBuf left = ThreadKind.EVENT_EXECUTOR.call(() -> allocate(allocator, direct, 1000));
    ThreadHeap abandoned = only(direct);
    assertThat(abandoned.state()).isEqualTo(State.ABANDONED);
    assertThat(abandoned.thread()).isEmpty();
    assertThat(abandoned.liveBytes()).isEqualTo(blockBytes(left));
    try (ThreadKind.Group next = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1)) {
      String name =
          next.call(
              () -> {
                allocate(allocator, direct, 1000).release();
                return Thread.currentThread().getName();
              });
      assertThat(only(direct).state()).isEqualTo(State.OWNED);
      assertThat(only(direct).thread()).isEqualTo(name);
      assertThat(only(direct).liveBytes()).isEqualTo(blockBytes(left));
    }
    left.release();
    assertNothingHeld(allocator);
  }

  private ThreadHeap only(boolean direct) {
    List<ThreadHeap> heaps =
        (direct ? allocator.metric().direct() : allocator.metric().heap()).byThreadHeap();
    assertThat(heaps).hasSize(1);
    return heaps.get(0);
  }

  @Test
  void textHasTheLargestAndJsonHasAll() {
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 15)) {
      List<ByteBuf> live = new ArrayList<>();
      String largest = "";
      for (int i = 1; i <= 15; i++) {
        int buffers = 100 * i;
        largest = loops.call(() -> hold(live, buffers));
      }
      List<ThreadHeap> heaps = allocator.metric().direct().byThreadHeap();
      assertThat(heaps).hasSize(15);
      assertThat(heaps.get(0).thread()).isEqualTo(largest);
      assertThat(allocator.dumpStats())
          .contains("heaps by thread, direct memory", "... and 5 more")
          .contains(String.format(Locale.ROOT, "%,16d  owned      %s", live(heaps), largest));
      JsonArray json =
          JsonParser.parseString(allocator.dumpStatsAsJson())
              .getAsJsonObject()
              .getAsJsonObject("direct")
              .getAsJsonArray("byThreadHeap");
      assertThat(json).hasSize(15);
      assertThat(json.get(0).getAsJsonObject().get("thread").getAsString()).isEqualTo(largest);
      live.forEach(ByteBuf::release);
    }
  }

  private static long live(List<ThreadHeap> heaps) {
    return heaps.get(0).liveBytes();
  }
}
