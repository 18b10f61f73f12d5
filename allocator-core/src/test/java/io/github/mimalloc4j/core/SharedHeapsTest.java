package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that own no heap use what is free in any of those that they share. */
@Timeout(value = 1, unit = TimeUnit.MINUTES) // who waits for a lock might wait for ever
class SharedHeapsTest {

  private static final int SIZE = 1000;
  private static final int COUNT = 4000;

  /** So many that each heap is the first one for some of them. */
  private static final int THREADS = 16;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;

  @AfterEach
  void soundAndAllComesBack() {
    test.check();
    allocator.trim();
    test.check();
    assertThat(allocator.usedBytes()).isZero();
    assertThat(test.source.usedBytes()).isZero();
  }

  @Test
  void freeBlocksOfAnyHeapGoBeforeAnotherPage() throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(COUNT);
    List<TestBlock> kept = releaseAllButOneOfEachPage(blocks);
    long paged = allocator.pagedBytes();
    for (int thread = 0; thread < THREADS; thread++) { // looks there less than 2,000 times
      kept.addAll(TestAllocator.onThread(() -> allocate(COUNT / THREADS / 4)));
    }
    assertThat(allocator.pagedBytes() - paged)
        .as("what was added: the first page of the size in the first heap")
        .isLessThanOrEqualTo(64 << 10);
    kept.forEach(TestBlock::release);
  }

  /** A heap is asked for its first page of a size before others are for a free block. */
  @Test
  void freeBlocksOfAnyHeapGoBeforeAnError() throws Exception {
    List<TestBlock> kept = releaseAllButOneOfEachPage(allocateInSecondHeap(COUNT));
    test.source.limit = test.source.usedBytes();
    List<TestBlock> others = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                others.add(allocator.allocateShared(2 * SIZE).begin());
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(test.pool().claimExisting(1)).as("room for another page").isNull();
    for (int thread = 0; thread < THREADS; thread++) {
      kept.addAll(TestAllocator.onThread(() -> allocate(10)));
    }
    others.forEach(TestBlock::release);
    kept.forEach(TestBlock::release);
  }

  /** Else threads that begin there would use another heap for ever, and contend for it. */
  @Test
  void aHeapThatNeverHasAFreeBlockGetsAPage() throws Exception {
    List<TestBlock> kept = releaseAllButOneOfEachPage(allocateInSecondHeap(COUNT));
    int inVain = 0;
    for (int thread = 0; thread < THREADS && inVain == 0; thread++) {
      inVain = TestAllocator.onThread(() -> allocateUntilFirstHeapGrows(kept));
    }
    assertThat(inVain).as("allocations that another heap had to serve").isBetween(500, 2000);
    kept.forEach(TestBlock::release);
  }

  /**
   * Fills the first heap's page, then counts the allocations from the second, each released at
   * once. Returns 0 if the thread begins with the second.
   */
  private int allocateUntilFirstHeapGrows(List<TestBlock> kept) {
    Heap<TestBlock> first = test.shared()[0];
    TestBlock block = allocate(1).get(0);
    if (block.page.heap() != first) {
      block.release();
      return 0;
    }
    int inVain = 0;
    for (; block.page.heap() == first; block = allocate(1).get(0)) {
      kept.add(block);
    }
    for (; block.page.heap() != first && inVain < COUNT; inVain++) {
      block.release();
      block = allocate(1).get(0);
    }
    kept.add(block);
    kept.addAll(allocate(10));
    assertThat(kept.subList(kept.size() - 10, kept.size()))
        .allMatch(next -> next.page.heap() == first);
    return inVain;
  }

  /** Else both would take each other's cache lines away all the time. */
  @Test
  void eachHeapHasAPageOfItsOwnOfASizeInUse() throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(1);
    Set<Heap<?>> heaps = new HashSet<>();
    for (int thread = 0; thread < THREADS; thread++) {
      List<TestBlock> one = TestAllocator.onThread(() -> allocate(1));
      heaps.add(one.get(0).page.heap());
      blocks.addAll(one);
    }
    assertThat(heaps).hasSize(2);
    blocks.forEach(TestBlock::release);
  }

  /** Else sizes that are rarely needed would come to have a page in each heap. */
  @Test
  void whatCameBackToAnotherHeapIsNoReasonForAFirstPageThere() throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(COUNT);
    Heap<TestBlock> second = test.shared()[1];
    List<TestBlock> others = new ArrayList<>();
    for (int thread = 1; thread <= THREADS && others.isEmpty(); thread++) {
      int size = SIZE * (1 + thread);
      List<TestBlock> released = blocks.subList(0, COUNT / THREADS);
      assertThat(second.tryLock()).isTrue(); // else who releases looks at the pages
      TestAllocator.runOnThread(() -> released.forEach(TestBlock::release));
      second.unlock();
      released.clear();
      others.addAll(TestAllocator.onThread(() -> allocateIfFirstHeapServes(size)));
    }
    assertThat(others).isNotEmpty().allMatch(block -> block.page.heap() != second);
    others.forEach(TestBlock::release);
    blocks.forEach(TestBlock::release);
  }

  /** Allocates some pages of blocks, unless the thread begins with the second heap. */
  private List<TestBlock> allocateIfFirstHeapServes(int size) {
    List<TestBlock> blocks = new ArrayList<>();
    do {
      blocks.add(allocator.allocateShared(size).begin());
    } while (blocks.size() < 100 && blocks.get(0).page.heap() == test.shared()[0]);
    if (blocks.size() > 1) {
      return blocks;
    }
    blocks.get(0).release();
    return List.of();
  }

  /** Else two that meet there would do so with each allocation. */
  @Test
  void whoMeetsAnotherThreadInItsHeapBeginsWithAnotherHeapNextTime() throws Exception {
    List<Heap<?>> heaps = heapsBeforeDuringAndAfter(this::allocateAndLock);
    assertThat(heaps.get(2)).isNotSameAs(heaps.get(0)).isSameAs(heaps.get(1));
  }

  /** Else the blocks of both would mix, and each would visit the other one ever more often. */
  @Test
  void whoMeetsAVisitorInItsHeapComesBack() throws Exception {
    List<Heap<?>> heaps = heapsBeforeDuringAndAfter(Heap::tryLock);
    assertThat(heaps.get(1)).isNotSameAs(heaps.get(0));
    assertThat(heaps.get(2)).isSameAs(heaps.get(0));
  }

  private boolean allocateAndLock(Heap<TestBlock> heap) {
    heap.tryAllocateAndBias(SIZE).begin().release();
    return heap.tryLock();
  }

  /** The heaps that serve this thread: as usual, while another one has that locked, and then. */
  private List<Heap<?>> heapsBeforeDuringAndAfter(Predicate<Heap<TestBlock>> lock)
      throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(1);
    blocks.addAll(allocate(1));
    Heap<TestBlock> usual = blocks.get(1).page.heap();
    assertThat(TestAllocator.onThread(() -> lock.test(usual))).isTrue();
    blocks.addAll(allocate(1));
    usual.unlock();
    blocks.addAll(allocate(1));
    List<Heap<?>> heaps = new ArrayList<>();
    blocks.subList(1, 4).forEach(block -> heaps.add(block.page.heap()));
    blocks.forEach(TestBlock::release);
    return heaps;
  }

  /** A deferred release would take an atomic operation more, and leave work to the next search. */
  @Test
  void whoAllocatedLastReleasesAtOnce() {
    for (int i = 0; i < COUNT; i++) {
      allocate(10).forEach(TestBlock::release);
    }
    allocate(COUNT).forEach(TestBlock::release);
    allocate(COUNT).forEach(TestBlock::release);
    assertThat(deferred()).isZero();
  }

  @Test
  void othersDeferAndSoDoesEverybodyWhileTheHeapIsBusy() throws Exception {
    List<TestBlock> blocks = allocate(COUNT);
    TestAllocator.runOnThread(() -> blocks.subList(0, COUNT / 2).forEach(TestBlock::release));
    Heap<TestBlock> heap = blocks.get(0).page.heap();
    assertThat(heap.tryLock()).isTrue();
    blocks.subList(COUNT / 2, COUNT).forEach(TestBlock::release);
    heap.unlock();
    allocator.trim();
    assertThat(deferred()).isEqualTo(COUNT);
  }

  private long deferred() {
    return StatisticsReader.counts(allocator).deferredReleases();
  }

  /** Each of its pages is queued, so nobody was told that it is empty. */
  @Test
  void emptyPagesOfAnIdleHeapMakeRoomBeforeASegmentIsObtained() throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(COUNT);
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    long used = allocator.usedBytes();
    assertThat(test.shared()[1].pageBytes()).as("waits for upkeep").isGreaterThan(used / 2);
    Heap<TestBlock> owned = test.acquire();
    List<TestBlock> others = new ArrayList<>();
    for (int i = 0; i < COUNT / 2; i++) {
      others.add(owned.allocate(2 * SIZE).begin()); // of another bin
    }
    assertThat(allocator.usedBytes()).isEqualTo(used);
    others.forEach(TestBlock::release);
    allocator.abandon(owned);
  }

  /** Its holder may be the very thread that allocates, from within a memory source. */
  @Test
  void aBusyHeapWithFreeBlocksIsNotWaitedForForEver() throws Exception {
    List<TestBlock> blocks = allocateInSecondHeap(COUNT);
    List<TestBlock> kept = releaseAllButOneOfEachPage(blocks);
    Heap<TestBlock> busy = test.shared()[1];
    assertThat(busy.tryLock()).isTrue();
    kept.addAll(allocate(100));
    busy.unlock();
    assertThat(test.shared()[0].pageBytes()).isPositive();
    kept.forEach(TestBlock::release);
  }

  /** The first is busy meanwhile, which makes the second. */
  private List<TestBlock> allocateInSecondHeap(int count) {
    Heap<TestBlock> first = test.shared()[0];
    assertThat(first.tryLock()).isTrue();
    List<TestBlock> blocks = allocate(count);
    first.unlock();
    assertThat(test.shared()).hasSize(2);
    assertThat(first.pageBytes()).isZero();
    return blocks;
  }

  private List<TestBlock> allocate(int count) {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(allocator.allocateShared(SIZE).begin());
    }
    return blocks;
  }

  private static List<TestBlock> releaseAllButOneOfEachPage(List<TestBlock> blocks) {
    Set<Page<?>> pages = new HashSet<>();
    List<TestBlock> kept = new ArrayList<>();
    for (TestBlock block : blocks) {
      if (pages.add(block.page)) {
        kept.add(block);
      } else {
        block.release();
      }
    }
    return kept;
  }
}
