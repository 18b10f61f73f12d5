package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.TestHeaps;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory comes back by upkeep, by {@code trim} and by {@code close}. */
@Tag("same-without-unsafe")
class GiveBackTest {

  private static final int SIZE = 1000;
  private static final long RETAINED = MemoryPolicy.DEFAULT.retainedBytes();

  private final TestHeaps test = new TestHeaps();
  private final BlockAllocator<TestBlock> heaps = test.heaps;
  private final Heap<TestBlock> heap = test.acquire();

  @AfterEach
  void nothingIsMissed() {
    runUpkeep();
    test.check();
  }

  @Test
  void whatTheOwnerReleasedComesBack() {
    allocate(20_000).forEach(TestBlock::release);
    runUpkeep();
    assertThat(heaps.pagedBytes()).isZero();
    assertThat(heaps.usedBytes()).isBetween(1L, RETAINED);
  }

  @Test
  void whatOthersReleasedComesBackToo() throws Exception {
    List<TestBlock> blocks = allocate(20_000);
    TestHeaps.runOnThread(() -> blocks.forEach(TestBlock::release));
    runUpkeep();
    assertThat(heaps.pagedBytes()).isZero();
    assertThat(heaps.usedBytes()).isLessThanOrEqualTo(RETAINED);
  }

  /** The pages of an idle owner are asked for, whether they are exhausted or not. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 16, 17, 1000})
  void eachReleaseIntoAnIdleOwnersPagesIsAReasonForUpkeep(int count) throws Exception {
    List<TestBlock> blocks = allocate(count);
    runUpkeep();
    assertThat(scheduled()).as("scheduled while nothing happens").isZero();
    for (TestBlock block : blocks) {
      TestHeaps.runOnThread(block::release);
      assertThat(scheduled()).isPositive();
      runUpkeep();
      test.check();
    }
    assertThat(heaps.pagedBytes()).isZero();
  }

  @Test
  void sharedHeapsAreTrimmedByUpkeep() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      blocks.add(heaps.allocateShared(SIZE).begin());
    }
    runUpkeep();
    assertThat(scheduled()).isZero();
    for (TestBlock block : blocks) {
      block.release();
      runUpkeep();
      test.check();
    }
    assertThat(heaps.pagedBytes()).isZero();
  }

  @Test
  void aSharedHeapThatWasBusyIsTrimmedLater() {
    heaps.allocateShared(SIZE).begin().release();
    Heap<TestBlock> shared = test.shared()[0];
    assertThat(shared.tryLock()).isTrue();
    test.upkeep.runOnce();
    shared.unlock();
    assertThat(shared.pageBytes()).isPositive();
    assertThat(test.upkeep.size()).as("asked again").isOne();
    test.upkeep.runOnce();
    assertThat(shared.pageBytes()).isZero();
  }

  @Test
  void nothingIsScheduledAfterAllCameBack() {
    allocate(1000).forEach(TestBlock::release);
    heaps.allocateShared(SIZE).begin().release();
    allocateLarge().release();
    for (int i = 0; i < 5; i++) {
      test.ownerUpkeep.runOnce();
      test.upkeep.runOnce();
    }
    assertThat(scheduled()).isZero();
  }

  @Test
  void aBusyOwnerSchedulesOneTaskAtATime() {
    for (int i = 0; i < 50; i++) {
      allocate(2000).forEach(TestBlock::release);
    }
    assertThat(test.ownerUpkeep.size()).isOne();
    assertThat(test.upkeep.size()).isLessThanOrEqualTo(1);
  }

  /** It would have been trimmed by its executor, which is gone. */
  @Test
  void anOwnerWhoseExecutorIsGoneIsFoundDead() throws Exception {
    ManualUpkeep executor = new ManualUpkeep();
    executor.refuses = true;
    TestBlock[] block = new TestBlock[1];
    TestHeaps.runOnThread(
        () -> block[0] = heaps.acquire(executor).allocate(SIZE).begin()); // ends without a word
    block[0].release();
    runUpkeep();
    assertThat(test.owned()).containsExactly(heap);
    assertThat(heaps.pagedBytes()).isZero();
  }

  @Test
  void thousandsOfEndedThreadsLeaveNoHeaps() throws Exception {
    List<Heap<TestBlock>> acquired = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      acquired.add(test.acquire());
    }
    assertThat(test.owned()).hasSize(3001);
    acquired.forEach(heaps::abandon);
    runUpkeep();
    assertThat(test.owned()).containsExactly(heap);
  }

  @Test
  void anAbandonedHeapIsForgottenWithItsLastBlockOnly() {
    TestBlock block = heap.allocate(SIZE).begin();
    heaps.abandon(heap);
    runUpkeep();
    assertThat(test.owned()).containsExactly(heap);
    block.release();
    heaps.trim();
    runUpkeep();
    assertThat(heaps.usedBytes()).isZero();
  }

  @Test
  void aForgottenHeapIsNotAdopted() {
    heaps.abandon(heap);
    runUpkeep();
    assertThat(test.owned()).isEmpty();
    assertThat(heap.adopt(Thread.currentThread(), test.ownerUpkeep)).isFalse();
    assertThat(test.acquire()).isNotSameAs(heap);
  }

  @Test
  void trimReturnsWhatWentBackAndAsksOtherOwners() throws Exception {
    allocate(20_000).forEach(TestBlock::release);
    TestHeaps.runOnThread(
        () -> {
          Heap<TestBlock> other = test.acquire();
          allocate(other, 20_000).forEach(TestBlock::release);
          other.trim();
          heaps.abandon(other);
        });
    heap.trim();
    long used = heaps.usedBytes();
    assertThat(heaps.trim()).isEqualTo(used);
    assertThat(heaps.usedBytes()).isZero();
    assertThat(test.ownerUpkeep.size()).as("the later run, and one now").isGreaterThan(1);
  }

  @Test
  void withoutUpkeepNothingComesBackBeforeTrim() {
    TestHeaps off = new TestHeaps(new MemoryPolicy(SegmentSizing.DEFAULT, Long.MAX_VALUE, 0, 0));
    Heap<TestBlock> owned = off.acquire();
    allocate(owned, 20_000).forEach(TestBlock::release);
    assertThat(off.ownerUpkeep.size() + off.upkeep.size()).isZero();
    assertThat(off.heaps.usedBytes()).isGreaterThan(16 << 20);
    owned.trim();
    off.heaps.trim();
    assertThat(off.heaps.usedBytes()).isZero();
  }

  @Test
  void aClosedAllocatorRefusesAndGivesBackWithTheLastRelease() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    TestHeaps.runOnThread(() -> blocks.addAll(allocate(test.acquire(), 1000)));
    for (int i = 0; i < 1000; i++) {
      blocks.add(heaps.allocateShared(SIZE).begin());
    }
    blocks.add(heaps.allocateShared(200_000).begin());
    blocks.add(heaps.allocateShared(20 << 20).begin());
    heaps.close();
    heaps.close();
    for (int size : new int[] {SIZE, 200_000, 20 << 20}) {
      assertThatThrownBy(() -> heaps.allocateShared(size))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThatThrownBy(test::acquire).isInstanceOf(IllegalStateException.class);
    assertThat(heaps.isClosed()).isTrue();
    heaps.trim(); // finds the thread that ended without a word
    long used = heaps.usedBytes();
    assertThat(used).isGreaterThan(20 << 20);
    blocks.forEach(TestBlock::release);
    assertThat(test.source.usedBytes()).as("without upkeep").isZero();
  }

  @Test
  void closeAsksOwnersToLeave() {
    heap.allocate(SIZE).begin().release();
    heaps.close();
    assertThat(test.ownerUpkeep.size()).isEqualTo(2);
    heaps.abandon(heap);
    assertThat(heaps.usedBytes()).isZero();
  }

  private void runUpkeep() {
    for (int i = 0; i < 3; i++) { // an owner's may be a reason for that of the pool
      test.ownerUpkeep.runAll();
      test.upkeep.runAll();
    }
  }

  private int scheduled() {
    return test.ownerUpkeep.size() + test.upkeep.size();
  }

  private TestBlock allocateLarge() {
    return heap.allocate(2 << 20).begin();
  }

  private List<TestBlock> allocate(int count) {
    return allocate(heap, count);
  }

  private static List<TestBlock> allocate(Heap<TestBlock> heap, int count) {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(heap.allocate(SIZE).begin());
    }
    return blocks;
  }
}
