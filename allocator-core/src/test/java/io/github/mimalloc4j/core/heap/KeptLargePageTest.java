package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.AllocatorListener;
import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.core.StatisticsReader;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A heap keeps the large page that its owner released last, and no other. */
class KeptLargePageTest {

  private static final int KIB = 1 << 10;
  private static final int SIZE = 256 * KIB;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Heap<TestBlock> heap = test.acquire();

  @AfterEach
  void invariantsHold() {
    test.check();
  }

  @ParameterizedTest
  @ValueSource(ints = {129 * KIB, SIZE, SIZE + 1, 1024 * KIB})
  void anotherBlockOfThatSizeTakesThePage(int size) {
    TestBlock block = heap.allocate(size).begin();
    block.release();
    assertThat(kept()).isSameAs(block.page);
    assertThat(heap.allocate(block.size()).begin()).isSameAs(block);
    assertThat(kept()).isNull();
    block.release();
    assertThat(heap.allocate(block.size() - 16 * KIB + 1).begin()).isSameAs(block);
    assertThat(allocated()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {SIZE + 1, SIZE - 16 * KIB})
  void aBlockOfMoreOrFewerSlicesDoesNot(int size) {
    TestBlock block = heap.allocate(SIZE).begin();
    block.release();
    TestBlock other = heap.allocate(size).begin();
    assertThat(other.page).isNotSameAs(block.page);
    assertThat(other.size()).isBetween(size, size + 16 * KIB - 1);
  }

  @Test
  void anotherPageThatIsKeptTakesItsPlace() {
    TestBlock first = heap.allocate(SIZE).begin();
    TestBlock second = heap.allocate(SIZE).begin();
    first.release();
    second.release();
    assertThat(kept()).isSameAs(second.page);
    assertThat(first.page.run.isClaimed()).isFalse();
    assertThat(first.page.keeper).isNull();
  }

  @Test
  void anotherThreadReleasesToThePool() throws Exception {
    TestBlock block = heap.allocate(SIZE).begin();
    TestAllocator.runOnThread(block::release);
    assertThat(kept()).isNull();
    assertThat(allocator.liveBytes() + allocator.pagedBytes()).isZero();
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> other = test.acquire();
          assertThat(other.allocate(SIZE).begin()).as("the same slices").isSameAs(block);
          block.release();
          assertThat(other.pages().keptLarge().kept()).isSameAs(block.page);
          allocator.abandon(other);
        });
    assertThat(allocator.liveBytes() + allocator.pagedBytes()).as("after its end").isZero();
  }

  @Test
  void theNextOwnerOfTheHeapKeepsToo() throws Exception {
    TestBlock block = heap.allocate(SIZE).begin();
    allocator.abandon(heap);
    TestAllocator.runOnThread(
        () -> {
          assertThat(heap.adopt(Thread.currentThread(), test.ownerUpkeep)).isTrue();
          block.release();
          assertThat(kept()).isSameAs(block.page);
          allocator.abandon(heap);
        });
    assertThat(kept()).isNull();
    assertThat(allocator.liveBytes() + allocator.pagedBytes()).isZero();
  }

  @Test
  void aThreadWithoutAHeapKeepsNothing() {
    TestBlock block = allocator.allocateShared(SIZE).begin();
    block.release();
    assertThat(kept()).isNull();
    assertThat(test.pool().claimedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1024 * KIB + 1, 2048 * KIB, 9 << 20})
  void aVeryLargePageIsNotKept(int size) {
    heap.allocate(size).begin().release();
    assertThat(kept()).isNull();
    assertThat(test.pool().claimedBytes()).isZero();
  }

  @Test
  void aBlockWithASegmentOfItsOwnIsNotKept() {
    TestAllocator small =
        new TestAllocator(
            new MemoryPolicy(new SegmentSizing(64 * KIB, SIZE, 8), Long.MAX_VALUE, 0, 1000));
    small.acquire().allocate(SIZE + 1).begin().release();
    assertThat(small.source.usedBytes()).isZero();
  }

  @Test
  void itCountsAsCachedAndNotAsLive() {
    TestBlock block = heap.allocate(SIZE).begin();
    assertThat(allocator.liveBytes()).isEqualTo(SIZE);
    assertThat(allocator.pagedBytes()).isZero();
    block.release();
    assertThat(allocator.liveBytes()).isZero();
    assertThat(allocator.pagedBytes()).isEqualTo(SIZE);
  }

  @Test
  void itMakesRoomBeforeASegmentIsObtained() {
    heap.allocate(1024 * KIB).begin().release();
    assertThat(test.source.calls()).isOne();
    heap.allocate(512 * KIB).begin();
    assertThat(test.source.calls()).as("the segment of 1 MiB had room for it").isOne();
  }

  @Test
  void itMakesRoomUnderALimit() {
    TestAllocator limited = limited();
    Heap<TestBlock> owned = limited.acquire();
    owned.allocate(SIZE).begin().release();
    owned.allocate(1024 * KIB).begin().release();
    owned.allocate(SIZE).begin();
    limited.check();
    assertThat(retries(limited)).isZero();
  }

  @Test
  void itMakesRoomForAPageOfSmallBlocks() {
    TestAllocator limited = limited();
    Heap<TestBlock> owned = limited.acquire();
    owned.allocate(1024 * KIB).begin().release();
    owned.allocate(1000).begin();
    assertThat(retries(limited)).isZero();
    limited.check();
  }

  @Test
  void thePageThatAnotherHeapKeepsMakesRoom() {
    TestAllocator limited = limited();
    Heap<TestBlock> owned = limited.acquire();
    Heap<TestBlock> other = limited.acquire();
    other.allocate(1024 * KIB).begin().release();
    TestBlock block = owned.allocate(1024 * KIB).begin();
    assertThat(other.pages().keptLarge().kept()).isNull();
    block.release();
    limited.allocator.allocateShared(1024 * KIB).begin().release();
    assertThat(limited.source.calls()).isOne();
    other.allocate(512 * KIB).begin().release();
    limited.allocator.allocateShared(1000).begin();
    assertThat(limited.source.usedBytes()).isLessThanOrEqualTo(1024 * KIB);
    limited.check();
  }

  @Test
  void pagesOfMoreHeapsThanAreLookedAtMakeRoom() {
    List<TestBlock> blocks = new ArrayList<>();
    List<Heap<TestBlock>> heaps = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      heaps.add(test.acquire());
      blocks.add(heaps.get(i).allocate(SIZE).begin());
    }
    blocks.forEach(TestBlock::release);
    assertThat(heaps).allMatch(other -> other.pages().keptLarge().kept() != null);
    int calls = test.source.calls();
    for (int i = 0; i < 200; i++) {
      heap.allocate(SIZE).begin();
    }
    assertThat(test.source.calls()).isEqualTo(calls);
    assertThat(heaps)
        .as("the last segment had room for three")
        .filteredOn(other -> other.pages().keptLarge().kept() != null)
        .hasSizeLessThan(4);
  }

  @Test
  void trimOfTheAllocatorDoesNotWaitForTheOwner() {
    heap.allocate(SIZE).begin().release();
    assertThat(allocator.trim()).isPositive();
    assertThat(allocator.usedBytes()).isZero();
  }

  /** The blocks and memory of a segment that was given back are garbage, though it was kept. */
  @Test
  void nothingStaysReachableAfterATrim() {
    WeakReference<TestBlock> block = new WeakReference<>(heap.allocate(SIZE).begin());
    requireNonNull(block.get()).release();
    heap.trim();
    allocator.trim();
    for (int i = 0; i < 100 && block.get() != null; i++) {
      System.gc();
    }
    assertThat(block.get()).isNull();
  }

  @Test
  void upkeepGivesItBack() {
    test.ownerUpkeep.runAll();
    heap.allocate(SIZE).begin().release();
    assertThat(test.ownerUpkeep.size()).isOne();
    test.ownerUpkeep.runAll();
    assertThat(kept()).isNull();
    assertThat(test.pool().claimedBytes()).isZero();
    assertThat(test.ownerUpkeep.size()).isZero();
  }

  /** It may be kept while a trim in portions is under way, after what it looked at first. */
  @Test
  void upkeepGivesBackWhatIsKeptDuringATrim() {
    TestAllocator portions = new TestAllocator(MemoryPolicy.DEFAULT, 1);
    Heap<TestBlock> owned = portions.acquire();
    owned.allocate(1).begin();
    owned.allocate(100).begin();
    portions.ownerUpkeep.runOnce();
    assertThat(owned.pages().portionedTrim().isUnderWay()).isTrue();
    owned.allocate(SIZE).begin().release();
    portions.ownerUpkeep.runAll();
    portions.check();
    assertThat(owned.pages().keptLarge().kept()).isNull();
  }

  @Test
  void anOwnerWhoseExecutorIsEndingGivesItBackWhenItNextNeedsAnother() throws Exception {
    test.ownerUpkeep.runAll();
    TestAllocator.runOnThread(() -> allocator.allocateShared(1024 * KIB).begin().release());
    test.ownerUpkeep.refuses = true;
    test.ownerUpkeep.ending = true;
    heap.allocate(SIZE).begin().release();
    assertThat(test.ownerUpkeep.refusals()).isOne();
    test.upkeep.runOnce(); // leaves it to the owner
    assertThat(kept()).isNotNull();
    heap.allocate(2 * SIZE).begin();
    assertThat(test.source.calls()).as("there was room").isOne();
    assertThat(kept()).isNull();
  }

  @Test
  void anOwnerWhoseExecutorRefusesForAWhileIsAskedAgain() {
    test.ownerUpkeep.runAll();
    test.ownerUpkeep.refuses = true;
    heap.allocate(SIZE).begin().release();
    test.upkeep.runOnce();
    assertThat(kept()).isNotNull();
    test.ownerUpkeep.refuses = false;
    test.upkeep.runOnce();
    test.ownerUpkeep.runAll();
    assertThat(kept()).isNull();
  }

  @Test
  void anOwnerThatEndedWithoutAWordKeepsNothing() throws Exception {
    TestAllocator.runOnThread(() -> test.acquire().allocate(SIZE).begin().release());
    assertThat(test.pool().claimedBytes()).isPositive();
    allocator.abandonEnded();
    test.upkeep.runAll();
    assertThat(test.pool().claimedBytes()).isZero();
    assertThat(test.owned()).containsExactly(heap);
    assertThat(allocated()).as("is not forgotten with the heap").isOne();
  }

  @Test
  void trimAndCloseGiveItBack() {
    heap.allocate(SIZE).begin().release();
    heap.trim();
    assertThat(test.pool().claimedBytes()).isZero();
    heap.allocate(SIZE).begin().release();
    allocator.close();
    allocator.abandon(heap);
    assertThat(test.source.usedBytes()).isZero();
  }

  /** A listener that throws ends the trim of an owner that leaves before it comes to this page. */
  @Test
  void aHeapThatStillKeepsAPageIsNotForgotten() {
    ThrowingListener listener = new ThrowingListener();
    BlockAllocator<TestBlock> closing =
        new BlockAllocator<>(
            test.source, MemoryPolicy.DEFAULT, 1, TestBlock::new, test.upkeep, listener);
    Heap<TestBlock> owned = closing.acquire(test.ownerUpkeep);
    owned.allocate(1000).begin().release();
    owned.allocate(SIZE).begin().release();
    closing.close();
    assertThatThrownBy(() -> closing.abandon(owned)).isSameAs(listener.failure);
    assertThat(owned.pages().keptLarge().kept()).isNotNull();
    closing.abandonEnded();
    test.upkeep.runAll();
    closing.trim();
    assertThat(test.source.usedBytes()).isZero();
    Invariants.check(closing);
  }

  /** Giving a page back may call a user's executor, which may use the allocator. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExecutorMayReleaseOrTrimWhenAPageIsGivenBack(boolean trims) {
    AtomicReference<Runnable> once = new AtomicReference<>();
    BlockAllocator<TestBlock> reentrant =
        new BlockAllocator<>(
            test.source,
            MemoryPolicy.DEFAULT,
            1,
            TestBlock::new,
            (task, delay) -> {
              Runnable call = once.getAndSet(null);
              if (call != null) {
                call.run();
              }
            },
            count -> {});
    Heap<TestBlock> owned = reentrant.acquire(test.ownerUpkeep);
    TestBlock first = owned.allocate(SIZE).begin();
    TestBlock second = owned.allocate(SIZE).begin();
    TestBlock third = owned.allocate(SIZE).begin();
    once.set(trims ? owned::trim : third::release);
    first.release();
    second.release(); // the first one is given back
    assertThat(once.get()).as("called").isNull();
    if (trims) {
      third.release();
    }
    once.set(owned::trim);
    test.ownerUpkeep.runAll();
    Invariants.check(reentrant);
    assertThat(reentrant.liveBytes() + reentrant.pagedBytes()).isZero();
  }

  private static TestAllocator limited() {
    return new TestAllocator(new MemoryPolicy(SegmentSizing.DEFAULT, 1024 * KIB, 0, 1000));
  }

  private static long retries(TestAllocator allocator) {
    return StatisticsReader.read(allocator.allocator).counts().outOfMemoryRetries();
  }

  private Page<TestBlock> kept() {
    return heap.pages().keptLarge().kept();
  }

  /** How many blocks were allocated in large pages, whether kept or not. */
  private long allocated() {
    return StatisticsReader.read(allocator).counts().largeAllocations();
  }

  /** Fails when it is told of the first segment that is freed. */
  private static final class ThrowingListener implements AllocatorListener {

    private final IllegalStateException failure = new IllegalStateException("planted");
    private boolean thrown;

    @Override
    public void doubleReleasesCaught(long releases) {
      throw new AssertionError("nothing was released twice");
    }

    @Override
    public void segmentFreed(Memory memory, int bytes, boolean dedicated) {
      if (!thrown) {
        thrown = true;
        throw failure;
      }
    }
  }
}
