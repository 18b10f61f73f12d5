package io.github.mimalloc4j.netty.figures;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Soundness;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The allocator's figures of programs with real buffers and threads. */
@ExtendWith(LeakDetectionOff.class)
@Tag("same-without-unsafe")
class MetricTest {

  private static final int LARGE = 1 << 20;
  private static final int HUGE = 9 << 20;

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
  private final List<ByteBuf> live = new ArrayList<>();

  @Test
  void theDefaultAllocatorTellsThroughNettysInterface() {
    ByteBufAllocator any = MiMallocByteBufAllocator.DEFAULT;
    ByteBufAllocatorMetric metric = ((ByteBufAllocatorMetricProvider) any).metric();
    assertThat(metric).isSameAs(((ByteBufAllocatorMetricProvider) any).metric());
    MiMallocByteBufAllocatorMetric ours = MiMallocByteBufAllocator.DEFAULT.metric();
    assertThat(metric).isSameAs(ours);
    ByteBuf direct = any.directBuffer(HUGE);
    ByteBuf heap = any.heapBuffer(HUGE);
    assertThat(metric.usedDirectMemory()).isGreaterThanOrEqualTo(HUGE);
    assertThat(metric.usedHeapMemory()).isGreaterThanOrEqualTo(HUGE);
    // Other tests use it, too, but not for buffers of this size.
    assertThat(ours.direct().bytes().huge()).isEqualTo(HUGE);
    assertThat(ours.heap().bytes().huge()).isEqualTo(HUGE);
    direct.release();
    heap.release();
    assertThat(ours.direct().bytes().huge()).isZero();
    assertThat(ours.heap().bytes().huge()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofEitherKindOfMemoryAlone(boolean direct) {
    ThreadKind.PLAIN.call(
        () -> {
          allocate(direct, 100, 100, 5000, LARGE, HUGE);
          return null;
        });
    MemoryStatistics now = statistics(direct);
    assertThat(now.counts().allocations()).isEqualTo(5);
    assertThat(now.counts().largeAllocations()).isOne();
    assertThat(now.counts().hugeAllocations()).isOne();
    assertThat(now.bytes().used()).isEqualTo(Soundness.used(allocator, direct));
    assertThat(now.bytes().live()).isEqualTo(pinned(direct));
    assertThat(now.bytes().large()).isEqualTo(LARGE);
    assertThat(now.bytes().huge()).isEqualTo(HUGE);
    assertThat(statistics(!direct).counts().allocations()).isZero();
    assertThat(statistics(!direct).bytes().used()).isZero();
    String kind = direct ? "Direct" : "Heap";
    assertThat(allocator.metric())
        .asString()
        .contains("used" + kind + "Memory: " + now.bytes().used() + ';')
        .containsPattern("pinned" + kind + "Memory: " + now.bytes().live() + "[;)]")
        .contains("used" + (direct ? "Heap" : "Direct") + "Memory: 0;");
    live.forEach(ByteBuf::release);
    assertNothingHeld(allocator);
  }

  @Test
  void aBufferThatOutgrowsItsBlockIsAnotherAllocation() {
    ByteBuf buffer = allocator.directBuffer(100);
    buffer.capacity(buffer.maxFastWritableBytes());
    assertThat(counts().allocations()).isOne();
    buffer.capacity(1000);
    assertThat(counts().allocations()).isEqualTo(2);
    buffer.capacity(LARGE);
    assertThat(counts().allocations()).isEqualTo(3);
    assertThat(counts().largeAllocations()).isOne();
    buffer.release();
    assertThat(allocator.metric().direct().bytes().live()).isZero();
    assertNothingHeld(allocator);
  }

  @Test
  void anEventLoopsHeapIsOwnedThenAbandonedThenAdopted() {
    try (ThreadKind.Group group = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1)) {
      group.call(() -> allocate(true, 100, 100, 100));
      assertThat(allocator.metric().direct().threadHeaps().owned()).isOne();
    }
    // The group's end waited for its thread's.
    assertThat(allocator.metric().direct().threadHeaps().owned()).isZero();
    assertThat(allocator.metric().direct().threadHeaps().abandoned()).isOne();
    assertThat(counts().adoptions()).isZero();
    try (ThreadKind.Group group = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1)) {
      group.call(() -> allocate(true, 100));
      assertThat(counts().adoptions()).isOne();
      assertThat(counts().allocations()).isEqualTo(4);
      live.forEach(ByteBuf::release);
    }
    assertThat(counts().deferredReleases()).isEqualTo(4);
    assertNothingHeld(allocator);
    assertThat(counts().segmentsPurged()).isEqualTo(counts().segmentsObtained()).isPositive();
  }

  @Test
  void aLimitMakesRetries() {
    MiMallocByteBufAllocator limited =
        MiMallocByteBufAllocator.builder().maxDirectMemory(1 << 20).build();
    ByteBuf live = limited.directBuffer(1);
    for (int attempt = 1; attempt <= 3; attempt++) {
      try {
        limited.directBuffer(1 << 20).release();
        throw new AssertionError("beyond the limit");
      } catch (OutOfMemoryError expected) {
        assertThat(limited.metric().direct().counts().outOfMemoryRetries()).isEqualTo(attempt);
      }
    }
    assertThat(limited.metric().heap().counts().outOfMemoryRetries()).isZero();
    live.release();
    assertNothingHeld(limited);
  }

  private Void allocate(boolean direct, int... sizes) {
    for (int size : sizes) {
      live.add(Soundness.allocate(allocator, direct, size));
    }
    return null;
  }

  private MemoryStatistics statistics(boolean direct) {
    return direct ? allocator.metric().direct() : allocator.metric().heap();
  }

  private long pinned(boolean direct) {
    return direct ? allocator.metric().pinnedDirectMemory() : allocator.metric().pinnedHeapMemory();
  }

  private MemoryStatistics.Counts counts() {
    return allocator.metric().direct().counts();
  }
}
