package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.github.mimalloc4j.core.AllocatorListener;
import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory comes back by upkeep, by {@code trim} and by {@code close}. */
class GiveBackTest {

  private static final int SIZE = 1000;
  private static final long RETAINED = MemoryPolicy.DEFAULT.retainedBytes();

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Heap<TestBlock> heap = test.acquire();
  private final IllegalStateException failure = new IllegalStateException("planted");
  private final AtomicBoolean fails = new AtomicBoolean();

  @AfterEach
  void nothingIsMissed() {
    runUpkeep();
    test.check();
  }

  @Test
  void whatTheOwnerReleasedComesBack() {
    allocate(20_000).forEach(TestBlock::release);
    runUpkeep();
    assertThat(allocator.pagedBytes()).isZero();
    assertThat(allocator.usedBytes()).isBetween(1L, RETAINED);
  }

  /** So a program that keeps released buffers does not keep the memory of their segments. */
  @ParameterizedTest
  @ValueSource(ints = {SIZE, 1 << 20, 10 << 20})
  void whatCameBackIsForgottenIfOnlyACollectorFreesIt(int size) {
    test.source.freedByCollector = true;
    TestBlock kept = heap.allocate(size).begin();
    TestBlock released = heap.allocate(size).begin();
    for (int i = 0; i < 100; i++) {
      heap.allocate(size).begin().release();
    }
    released.release();
    heap.trim();
    allocator.trim();
    assertThat(released.hasForgotten()).isEqualTo(released.page != kept.page);
    assertThat(kept.hasForgotten()).isFalse();
    kept.release();
    heap.trim();
    allocator.trim();
    assertThat(allocator.usedBytes()).isZero();
    assertThat(List.of(released, kept)).allMatch(TestBlock::hasForgotten);
  }

  @Test
  void otherMemoryIsNotForgottenWhichWouldTakeTime() {
    TestBlock released = heap.allocate(SIZE).begin();
    released.release();
    heap.trim();
    allocator.trim();
    assertThat(allocator.usedBytes()).isZero();
    assertThat(released.hasForgotten()).isFalse();
  }

  @Test
  void whatOthersReleasedComesBackToo() throws Exception {
    List<TestBlock> blocks = allocate(20_000);
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    runUpkeep();
    assertThat(allocator.pagedBytes()).isZero();
    assertThat(allocator.usedBytes()).isLessThanOrEqualTo(RETAINED);
  }

  /** The pages of an idle owner are asked for, whether they are exhausted or not. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 16, 17, 1000})
  void eachReleaseIntoAnIdleOwnersPagesIsAReasonForUpkeep(int count) throws Exception {
    List<TestBlock> blocks = allocate(count);
    runUpkeep();
    assertThat(scheduled()).as("scheduled while nothing happens").isZero();
    for (TestBlock block : blocks) {
      TestAllocator.runOnThread(block::release);
      assertThat(scheduled()).isPositive();
      runUpkeep();
      test.check();
    }
    assertThat(allocator.pagedBytes()).isZero();
  }

  @Test
  void sharedHeapsAreTrimmedByUpkeep() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      blocks.add(allocator.allocateShared(SIZE).begin());
    }
    runUpkeep();
    assertThat(scheduled()).isZero();
    for (TestBlock block : blocks) {
      block.release();
      runUpkeep();
      test.check();
    }
    assertThat(allocator.pagedBytes()).isZero();
  }

  @Test
  void aSharedHeapThatWasBusyIsTrimmedLater() {
    allocator.allocateShared(SIZE).begin().release();
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
    allocator.allocateShared(SIZE).begin().release();
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

  /** Its queue was full, and nothing else happens afterwards. */
  @Test
  void anOwnerWhoseExecutorRefusedIsAskedAgainUntilItAccepts() throws Exception {
    List<TestBlock> blocks = allocate(20_000);
    runUpkeep();
    test.ownerUpkeep.refuses = true;
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    for (int i = 0; i < 5; i++) {
      test.upkeep.runOnce();
      assertThat(test.upkeep.size()).as("to ask again").isOne();
    }
    assertThat(allocator.pagedBytes()).isPositive();
    test.ownerUpkeep.refuses = false;
    runUpkeep();
    assertThat(allocator.pagedBytes()).isZero();
    assertThat(scheduled()).as("scheduled while nothing happens").isZero();
  }

  /** It refuses for good, and its thread may live on for long. */
  @Test
  void anOwnerWhoseExecutorIsEndingIsNotAskedAgain() throws Exception {
    List<TestBlock> blocks = allocate(20_000);
    runUpkeep();
    test.ownerUpkeep.refuses = true;
    test.ownerUpkeep.ending = true;
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    test.upkeep.runOnce();
    test.upkeep.runOnce();
    assertThat(test.upkeep.size()).isZero();
    test.ownerUpkeep.refuses = false;
    heap.trim();
  }

  /** It would have been trimmed by its executor, which is gone. */
  @Test
  void anOwnerWhoseExecutorIsGoneIsFoundDead() throws Exception {
    ManualUpkeep executor = new ManualUpkeep();
    executor.refuses = true;
    TestBlock[] block = new TestBlock[1];
    TestAllocator.runOnThread(
        () -> block[0] = allocator.acquire(executor).allocate(SIZE).begin()); // ends without a word
    block[0].release();
    runUpkeep();
    assertThat(test.owned()).containsExactly(heap);
    assertThat(allocator.pagedBytes()).isZero();
  }

  /** As when no thread can be started for it: the next upkeep makes up for that. */
  @Test
  void aRefusedLookForFreeSegmentsIsRepeated() {
    List<TestBlock> blocks = allocate(20_000);
    test.upkeep.refuses = true;
    blocks.forEach(TestBlock::release);
    heap.trim();
    test.upkeep.refuses = false;
    assertThat(allocator.usedBytes()).isGreaterThan(RETAINED);
    allocator.abandonEnded();
    test.upkeep.runAll();
    assertThat(allocator.usedBytes()).isBetween(1L, RETAINED);
  }

  @Test
  void thousandsOfEndedThreadsLeaveNoHeaps() throws Exception {
    List<Heap<TestBlock>> acquired = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      acquired.add(test.acquire());
    }
    assertThat(test.owned()).hasSize(3001);
    acquired.forEach(allocator::abandon);
    runUpkeep();
    assertThat(test.owned()).containsExactly(heap);
  }

  @Test
  void aForgottenHeapIsNotAdopted() {
    allocator.abandon(heap);
    runUpkeep();
    assertThat(test.owned()).isEmpty();
    assertThat(heap.adopt(Thread.currentThread(), test.ownerUpkeep)).isFalse();
    assertThat(test.acquire()).isNotSameAs(heap);
  }

  @Test
  void trimReturnsWhatWentBackAndAsksOtherOwners() throws Exception {
    allocate(20_000).forEach(TestBlock::release);
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> other = test.acquire();
          allocate(other, 20_000).forEach(TestBlock::release);
          other.trim();
          allocator.abandon(other);
        });
    heap.trim();
    long used = allocator.usedBytes();
    assertThat(allocator.trim()).isEqualTo(used);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(test.ownerUpkeep.size()).as("the later run, and one now").isGreaterThan(1);
  }

  @Test
  void withoutUpkeepNothingComesBackBeforeTrim() {
    TestAllocator off =
        new TestAllocator(new MemoryPolicy(SegmentSizing.DEFAULT, Long.MAX_VALUE, 0, 0));
    Heap<TestBlock> owned = off.acquire();
    allocate(owned, 20_000).forEach(TestBlock::release);
    assertThat(off.ownerUpkeep.size() + off.upkeep.size()).isZero();
    assertThat(off.allocator.usedBytes()).isGreaterThan(16 << 20);
    owned.trim();
    off.allocator.trim();
    assertThat(off.allocator.usedBytes()).isZero();
  }

  @Test
  void aClosedAllocatorRefusesAndGivesBackWithTheLastRelease() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    TestAllocator.runOnThread(() -> blocks.addAll(allocate(test.acquire(), 1000)));
    for (int i = 0; i < 1000; i++) {
      blocks.add(allocator.allocateShared(SIZE).begin());
    }
    blocks.add(allocator.allocateShared(200_000).begin());
    blocks.add(allocator.allocateShared(20 << 20).begin());
    allocator.close();
    allocator.close();
    for (int size : new int[] {SIZE, 200_000, 20 << 20}) {
      assertThatThrownBy(() -> allocator.allocateShared(size))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThatThrownBy(test::acquire).isInstanceOf(IllegalStateException.class);
    assertThat(allocator.isClosed()).isTrue();
    allocator.trim(); // finds the thread that ended without a word
    long used = allocator.usedBytes();
    assertThat(used).isGreaterThan(20 << 20);
    blocks.forEach(TestBlock::release);
    assertThat(test.source.usedBytes()).as("without upkeep").isZero();
  }

  @Test
  void closeAsksOwnersToLeave() {
    heap.allocate(SIZE).begin().release();
    allocator.close();
    assertThat(test.ownerUpkeep.size()).isEqualTo(2);
    allocator.abandon(heap);
    assertThat(allocator.usedBytes()).isZero();
  }

  /** A user's executor may use the heap when it is asked to run upkeep. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExecutorMayUseTheHeapWhenAPageBecomesEmpty(boolean trims) {
    AtomicReference<Runnable> once = new AtomicReference<>(() -> {});
    Heap<TestBlock> owned =
        allocator.acquire(
            (task, delay) -> {
              once.getAndSet(() -> {}).run();
              test.ownerUpkeep.execute(task, delay);
            });
    TestBlock block = owned.allocate(SIZE).begin();
    runUpkeep();
    AtomicBoolean used = new AtomicBoolean();
    once.set(
        () -> {
          used.set(true);
          if (trims) {
            owned.trim();
          } else {
            owned.allocate(SIZE).begin().release();
          }
        });
    block.release();
    assertThat(used).isTrue();
    runUpkeep();
    assertThat(allocator.pagedBytes()).isZero();
  }

  /** So that the owner does not leave a heap that it is in the middle of. */
  @Test
  void whoIsCalledInTheMiddleOfAnOperationCanFindOut() {
    List<Boolean> callsOut = new ArrayList<>();
    AtomicReference<Heap<TestBlock>> heap = new AtomicReference<>();
    Heap<TestBlock> owned =
        allocator.acquire(
            (task, delay) -> {
              if (heap.get() != null) {
                callsOut.add(heap.get().callsOut());
              }
              test.ownerUpkeep.execute(task, delay);
            });
    heap.set(owned);
    runUpkeep();
    TestBlock page = owned.allocate(SIZE).begin();
    runUpkeep();
    page.release();
    runUpkeep();
    owned.allocate(SizeClasses.MAX_BLOCK_BYTES + 1).begin().release();
    assertThat(callsOut)
        .as("a new page, an empty one, a large one")
        .containsExactly(true, true, true);
    assertThat(owned.callsOut()).isFalse();
    owned.trimSoon();
    assertThat(callsOut).last().isEqualTo(false);
    runUpkeep();
  }

  @Test
  void whoIsCalledForTheRestOfATrimCanFindOut() {
    TestAllocator portions = new TestAllocator(MemoryPolicy.DEFAULT, 1);
    AtomicReference<Heap<TestBlock>> heap = new AtomicReference<>();
    List<Boolean> forTheRest = new ArrayList<>();
    heap.set(
        portions.allocator.acquire(
            (task, delay) -> {
              if (delay == 1) {
                forTheRest.add(heap.get().callsOut());
              }
              portions.ownerUpkeep.execute(task, delay);
            }));
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      blocks.add(heap.get().allocate(10_000).begin());
    }
    blocks.forEach(TestBlock::release);
    portions.ownerUpkeep.runAll();
    assertThat(forTheRest).isNotEmpty().doesNotContain(false);
  }

  /** However many pages others have posted, an allocation does not wait until all are collected. */
  @Test
  void anAllocationLooksAtAPortionOfTheMail() throws Exception {
    List<TestBlock> blocks = allocate(40_000);
    int pages = heap.pages().table().count();
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    assertThat(mailOf(heap)).isGreaterThan(pages / 2);
    TestBlock other = heap.allocate(5000).begin();
    assertThat(mailOf(heap)).isBetween(1, pages - 1);
    test.check();
    other.release();
  }

  /**
   * What an allocation leaves is found by one that needs it, before a page is added: except behind
   * very many others, which would take longer than a page.
   */
  @ParameterizedTest
  @CsvSource({"10000, true", "400000, false"})
  void anAllocationLooksAtMoreMailIfItsBinMayHaveAPageThere(int before, boolean found)
      throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) { // in several pages, which are posted first and so looked at last
      blocks.add(heap.allocate(16_000).begin());
    }
    blocks.addAll(allocate(before));
    Set<Page<TestBlock>> pages = new HashSet<>();
    blocks.forEach(block -> pages.add(block.page));
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    List<TestBlock> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) { // four of the page at the head, which was not posted
      others.add(heap.allocate(16_000).begin());
    }
    assertThat(pages.contains(others.get(3).page)).isTrue();
    assertThat(pages.contains(others.get(4).page)).isEqualTo(found);
    others.forEach(TestBlock::release);
  }

  /** Even if upkeep was to look at many pages: whoever releases may be an event loop. */
  @Test
  void aReleaseLooksAtAPortionOfASharedHeapsMail() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      blocks.add(allocator.allocateShared(SIZE).begin());
    }
    Heap<TestBlock> shared = test.shared()[0];
    int pages = shared.pages().table().count();
    assertThat(shared.tryLock()).isTrue();
    Page<TestBlock> first = blocks.get(0).page;
    TestAllocator.runOnThread(
        () -> blocks.stream().filter(b -> b.page != first).forEach(TestBlock::release));
    assertThat(mailOf(shared)).isGreaterThan(pages / 2);
    shared.unlock();
    TestAllocator.runOnThread(blocks.get(0)::release);
    assertThat(mailOf(shared)).isBetween(pages / 2, pages - 2);
    assertThat(shared.pages().mailbox().isEmpty()).isTrue();
    assertThat(shared.mayHave(SIZE)).as("among what the portion has left").isTrue();
    assertThat(shared.mayHave(5000)).as("no page is of that size").isFalse();
    blocks.stream().filter(b -> b.page == first).skip(1).forEach(TestBlock::release);
    runUpkeep();
    assertThat(shared.pageBytes()).isZero();
  }

  /** There may be none until something was given back. */
  @Test
  void aTrimForARetryTakesNoJavaHeap() throws Exception {
    allocate(SIZE).forEach(TestBlock::release);
    TestAllocator.runOnThread(() -> allocator.allocateShared(SIZE).begin().release());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE; // the JVM may need some for itself
    for (int i = 0; i < 20; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      heap.pages().trimForRetry();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isZero();
  }

  /** Nobody else would remove it, as its owner has ended. */
  @Test
  void anAbandonedHeapIsForgottenAfterItsLastBlock() throws Exception {
    List<TestBlock> blocks = new ArrayList<>();
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> own = test.acquire();
          for (int i = 0; i < 100; i++) {
            blocks.add(own.allocate(SIZE).begin());
          }
          allocator.abandon(own);
        });
    test.upkeep.runAll();
    assertThat(test.owned()).hasSize(2);
    blocks.forEach(TestBlock::release);
    test.upkeep.runAll();
    assertThat(test.owned()).containsExactly(heap);
  }

  private static int mailOf(Heap<TestBlock> heap) {
    int count = 0;
    for (Page<TestBlock> page = heap.pages().mail(); page != null; page = page.nextInMailbox) {
      count++;
    }
    for (Page<TestBlock> page = heap.pages().mailbox().peek();
        page != null;
        page = page.nextInMailbox) {
      count++;
    }
    return count;
  }

  /** A listener that throws when told to. */
  private AllocatorListener failingOnce() {
    return new AllocatorListener() {
      @Override
      public void doubleReleasesCaught(long releases) {}

      @Override
      public void segmentFreed(Memory memory, int bytes, boolean dedicated) {
        if (fails.getAndSet(false)) {
          throw failure;
        }
      }
    };
  }

  private BlockAllocator<TestBlock> allocator(AllocatorListener listener) {
    return new BlockAllocator<>(
        test.source, MemoryPolicy.DEFAULT, 1, TestBlock::new, test.upkeep, listener);
  }

  /** A drain that fails leaves pages that were posted to the trim that comes next. */
  @Test
  void postedPagesAreNotLostWhenADrainFails() throws Exception {
    BlockAllocator<TestBlock> closing = allocator(failingOnce());
    Heap<TestBlock> owned = closing.acquire(test.ownerUpkeep);
    List<TestBlock> blocks = allocate(owned, 10_000);
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    closing.close();
    fails.set(true);
    List<TestBlock> others = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) { // until a portion frees a segment
                others.add(owned.allocate(5000).begin());
              }
            })
        .isSameAs(failure);
    assertThat(owned.pages().mail()).isNotNull();
    others.forEach(TestBlock::release);
    test.ownerUpkeep.runAll();
    closing.abandon(owned);
    Invariants.check(closing);
    assertThat(closing.usedBytes()).isZero();
  }

  /** Nobody would come for them: the heap has no owner, and cannot get one. */
  @Test
  void pagesOfAnEndedThreadAreNotLostWhenMemoryCannotBeFreed() throws Exception {
    BlockAllocator<TestBlock> closing = allocator(failingOnce());
    List<TestBlock> live = new ArrayList<>();
    Heap<TestBlock> owned = closing.acquire(test.ownerUpkeep);
    live.add(owned.allocate(5000).begin()); // in a page that nobody has asked for
    List<TestBlock> blocks = allocate(owned, 10_000); // more than are kept when they are empty
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    closing.close();
    fails.set(true);
    assertThatThrownBy(() -> closing.abandon(owned)).isSameAs(failure);
    TestAllocator.runOnThread(() -> live.forEach(TestBlock::release));
    Invariants.check(closing);
    assertThat(closing.usedBytes()).isZero();
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
