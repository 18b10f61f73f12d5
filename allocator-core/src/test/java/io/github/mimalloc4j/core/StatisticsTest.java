package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Bytes;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.SizeClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The figures of known programs, to the unit. */
class StatisticsTest {

  private static final int SIZE = 100;
  private static final int LARGE = 300_000;
  private static final int HUGE = 9 << 20;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Heap<TestBlock> heap = test.acquire();
  private final List<TestBlock> live = new ArrayList<>();

  /** Whatever the program was. */
  @AfterEach
  void partsSumUp() {
    test.check();
    MemoryStatistics now = read();
    Bytes bytes = now.bytes();
    assertThat(bytes.live() + bytes.cached() + bytes.free()).isEqualTo(bytes.used());
    assertThat(bytes.retained()).isEqualTo(bytes.used() - bytes.live());
    assertThat(bytes.used()).isEqualTo(test.source.usedBytes());
    long liveInPages = 0;
    long paged = 0;
    for (SizeClass each : now.sizeClasses()) {
      liveInPages += each.liveBlocks() * each.blockBytes();
      paged += each.pageBytes();
      assertThat((each.liveBlocks() + each.freeBlocks()) * each.blockBytes())
          .isBetween(each.pageBytes() - (long) each.pages() * each.blockBytes(), each.pageBytes());
    }
    assertThat(liveInPages + bytes.large() + bytes.huge()).isEqualTo(bytes.live());
    assertThat(paged - liveInPages).isEqualTo(bytes.cached());
  }

  @Test
  void aNewAllocatorHasDoneNothing() {
    MemoryStatistics now = read();
    assertThat(now.bytes()).isEqualTo(new Bytes(0, 0, 0, 0, 0, 0));
    assertThat(now.counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(now.threadHeaps()).isEqualTo(new MemoryStatistics.ThreadHeaps(1, 1, 0));
    assertThat(now.sizeClasses()).isEmpty();
  }

  @Test
  void allocationsOfEveryKindAreCounted() throws Exception {
    allocate(1000, SIZE);
    allocate(3, LARGE);
    allocate(1, HUGE);
    TestAllocator.runOnThread(
        () -> {
          for (int size : new int[] {SIZE, 5000, LARGE, HUGE}) {
            live.add(allocator.allocateShared(size).begin());
          }
        });
    Counts counts = read().counts();
    assertThat(counts.allocations()).isEqualTo(1008);
    assertThat(counts.largeAllocations()).isEqualTo(4);
    assertThat(counts.hugeAllocations()).isEqualTo(2);
    Bytes bytes = read().bytes();
    assertThat(bytes.live()).isEqualTo(live.stream().mapToLong(TestBlock::size).sum());
    assertThat(bytes.large()).isEqualTo(sizes(LARGE));
    assertThat(bytes.huge()).isEqualTo(sizes(HUGE));
  }

  private long sizes(int least) {
    return live.stream()
        .mapToLong(TestBlock::size)
        .filter(size -> size >= least && size < 2L * least)
        .sum();
  }

  @Test
  void whatIsAllocatedAndReleasedAtOnceIsCountedToo() {
    for (int i = 0; i < 12_345; i++) {
      heap.allocate(SIZE).begin().release();
    }
    assertThat(read().counts().allocations()).isEqualTo(12_345);
    assertThat(read().bytes().live()).isZero();
  }

  @Test
  void sizeClassesTellPagesAndBlocks() {
    allocate(1000, SIZE);
    Map<Page<TestBlock>, TestBlock> pages = new HashMap<>();
    live.forEach(block -> pages.put(block.page, block));
    live.subList(300, 450).forEach(TestBlock::release);
    allocate(2, 20_000);
    SizeClass small = read().sizeClasses().get(0);
    SizeClass medium = read().sizeClasses().get(1);
    int blockBytes = live.get(0).size();
    int blocks = pages.values().stream().mapToInt(TestBlock::pageCapacity).sum();
    int pageBytes = pages.values().stream().mapToInt(TestBlock::pageBytes).sum();
    assertThat(small)
        .isEqualTo(new SizeClass(blockBytes, pages.size(), pageBytes, 850, blocks - 850));
    TestBlock block = live.get(1000);
    assertThat(medium)
        .isEqualTo(new SizeClass(block.size(), 1, block.pageBytes(), 2, block.pageCapacity() - 2));
    assertThat(read().sizeClasses()).hasSize(2);
  }

  @Test
  void deferredReleasesAreCountedWhenTheyAreCollected() throws Exception {
    allocate(16, SIZE);
    List<TestBlock> released = live.subList(0, 5);
    TestAllocator.runOnThread(() -> released.forEach(TestBlock::release));
    assertThat(read().counts().deferredReleases()).isZero();
    assertThat(read().sizeClasses().get(0).liveBlocks()).isEqualTo(11);
    heap.trim();
    assertThat(read().counts().deferredReleases()).isEqualTo(5);
    assertThat(read().counts().collects()).isOne();
    heap.trim();
    assertThat(read().counts().collects()).isOne();
  }

  @Test
  void countsOutliveTheirPagesAndSegments() throws Exception {
    allocate(10_000, SIZE);
    allocate(10, LARGE);
    allocate(1, HUGE);
    TestAllocator.runOnThread(() -> live.subList(0, 5_000).forEach(TestBlock::release));
    live.subList(5_000, live.size()).forEach(TestBlock::release);
    heap.trim();
    allocator.trim();
    MemoryStatistics now = read();
    assertThat(now.sizeClasses()).isEmpty();
    assertThat(now.bytes()).isEqualTo(new Bytes(0, 0, 0, 0, 0, 0));
    assertThat(now.counts().allocations()).isEqualTo(10_011);
    assertThat(now.counts().deferredReleases()).isEqualTo(5_000);
    assertThat(now.counts().segmentsPurged())
        .isEqualTo(now.counts().segmentsObtained())
        .isPositive();
  }

  @Test
  void ofADeadThreadsHeapNothingIsLost() throws Exception {
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> dead = test.acquire();
          for (int i = 0; i < 7; i++) {
            live.add(dead.allocate(SIZE).begin());
          }
          dead.abandon(Thread.currentThread());
        });
    assertThat(read().threadHeaps()).isEqualTo(new MemoryStatistics.ThreadHeaps(1, 1, 1));
    assertThat(read().counts().allocations()).isEqualTo(7);
    assertThat(read().counts().adoptions()).isZero();
    TestAllocator.runOnThread(() -> live.add(test.acquire().allocate(SIZE).begin()));
    assertThat(read().counts().adoptions()).isOne();
    assertThat(read().counts().allocations()).isEqualTo(8);
    assertThat(read().threadHeaps().abandoned()).isZero();
  }

  @Test
  void ofForgottenHeapsNothingIsLost() throws Exception {
    for (int i = 1; i <= 20; i++) {
      TestAllocator.runOnThread(
          () -> {
            Heap<TestBlock> own = test.acquire();
            List<TestBlock> blocks = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
              blocks.add(own.allocate(SIZE).begin());
            }
            blocks.forEach(TestBlock::releaseDeferred);
            allocator.abandon(own);
          });
      test.upkeep.runAll();
      assertThat(allocator.owned()).containsExactly(heap);
      assertThat(read().counts().allocations()).isEqualTo(100L * i);
      assertThat(read().counts().deferredReleases()).isEqualTo(100L * i);
      assertThat(read().counts().adoptions()).isZero();
    }
  }

  @Test
  void retriesForWantOfMemoryAreCounted() {
    allocate(1, SIZE);
    test.source.limit = test.source.usedBytes();
    assertThatThrownBy(() -> heap.allocate(LARGE)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> heap.allocate(HUGE)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> allocator.allocateShared(HUGE)).isInstanceOf(OutOfMemoryError.class);
    assertThat(read().counts().outOfMemoryRetries()).isEqualTo(3);
    assertThat(read().counts().allocations()).isOne();
  }

  @Test
  void aRetryThatSucceedsIsCountedOnce() {
    allocate(4, 60_000);
    live.forEach(TestBlock::release); // they stay in the heap, which could give them back
    test.source.limit = test.source.usedBytes();
    allocate(1, 200_000);
    assertThat(read().counts().outOfMemoryRetries()).isOne();
    assertThat(read().counts().allocations()).isEqualTo(5);
  }

  @Test
  void doubleReleasesThatAreCaughtAreCounted() {
    allocate(16, SIZE);
    live.get(4).releaseTwice();
    heap.trim();
    assertThat(read().counts().doubleReleases()).isOne();
    assertThat(test.toldDoubleReleases).as("not in the midst of it").hasValue(0);
    test.upkeep.runOnce();
    assertThat(test.toldDoubleReleases).hasValue(1);
    test.upkeep.runAll();
    assertThat(test.toldDoubleReleases).as("once").hasValue(1);
  }

  @Test
  void readingChangesNothing() {
    allocate(100, SIZE);
    MemoryStatistics first = read();
    assertThat(read()).isEqualTo(first);
  }

  private void allocate(int count, int size) {
    for (int i = 0; i < count; i++) {
      live.add(heap.allocate(size).begin());
    }
  }

  private MemoryStatistics read() {
    return StatisticsReader.read(allocator);
  }
}
