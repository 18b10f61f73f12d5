package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.StatisticsReader;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A heap keeps the large page that its owner released last, and no other. */
@Tag("same-without-unsafe")
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
    heap.allocate(SIZE).begin().release(); // so that there is room
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
          assertThat(other.pages().keptLarge().peek()).isSameAs(block.page);
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
    TestAllocator limited =
        new TestAllocator(new MemoryPolicy(SegmentSizing.DEFAULT, 1024 * KIB, 0, 1000));
    Heap<TestBlock> owned = limited.acquire();
    owned.allocate(SIZE).begin().release();
    owned.allocate(1024 * KIB).begin().release();
    owned.allocate(SIZE).begin();
    limited.check();
  }

  @Test
  void upkeepGivesItBack() {
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
    assertThat(owned.pages().isTrimming()).isTrue();
    owned.allocate(SIZE).begin().release();
    portions.ownerUpkeep.runAll();
    portions.check();
    assertThat(owned.pages().keptLarge().peek()).isNull();
  }

  @Test
  void anOwnerWhoseExecutorIsEndingGivesItBackWhenItNextNeedsAnother() {
    test.ownerUpkeep.refuses = true;
    test.ownerUpkeep.ending = true;
    heap.allocate(SIZE).begin().release();
    test.upkeep.runAll(); // asks again, in vain
    assertThat(kept()).isNotNull();
    TestBlock other = heap.allocate(2 * SIZE).begin();
    assertThat(kept()).isNull();
    assertThat(other.page.run.isClaimed()).isTrue();
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

  /** Giving the former page back may tell a user's executor, which may use the allocator. */
  @Test
  void whatAnExecutorReleasesMeanwhileIsKeptOrGivenBack() {
    AtomicReference<TestBlock> late = new AtomicReference<>();
    BlockAllocator<TestBlock> reentrant =
        new BlockAllocator<>(
            test.source,
            MemoryPolicy.DEFAULT,
            1,
            TestBlock::new,
            (task, delay) -> {
              TestBlock block = late.getAndSet(null);
              if (block != null) {
                block.release();
              }
            },
            count -> {});
    Heap<TestBlock> owned = reentrant.acquire(test.ownerUpkeep);
    TestBlock first = owned.allocate(SIZE).begin();
    TestBlock second = owned.allocate(SIZE).begin();
    late.set(owned.allocate(SIZE).begin());
    first.release();
    second.release();
    assertThat(late.get()).as("released meanwhile").isNull();
    assertThat(reentrant.liveBytes()).isZero();
    owned.trim();
    assertThat(reentrant.pagedBytes()).isZero();
  }

  private Page<TestBlock> kept() {
    return heap.pages().keptLarge().peek();
  }

  /** How many blocks were allocated in large pages, whether kept or not. */
  private long allocated() {
    return StatisticsReader.read(allocator).counts().largeAllocations();
  }
}
