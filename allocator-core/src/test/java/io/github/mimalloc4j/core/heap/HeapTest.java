package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A heap and its owner, and others who release its blocks. */
class HeapTest {

  private static final int SIZE = 1000;
  private static final int KIB = 1024;

  /**
   * The most blocks of the last page that do not exist yet, with 10,000 in use (a page is at most
   * one part in 16 of them); they may be made before others come back.
   */
  private static final int NOT_MADE_YET = 640;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Heap<TestBlock> heap = test.acquire();

  @AfterEach
  void invariantsHold() {
    test.check();
  }

  @Test
  void aReleasedBlockIsHandedOutNext() {
    allocate(SIZE);
    TestBlock block = allocate(SIZE);
    block.release();
    assertThat(block.page.free(block.page.top() - 1)).isEqualTo(block.slot);
    assertThat(allocate(SIZE)).isSameAs(block);
  }

  @Test
  void aPageKnowsItsMemory() {
    Page<TestBlock> page = allocate(SIZE).page;
    assertThat(page.memory()).isNotNull().isSameAs(page.run.memory());
  }

  @Test
  void blocksAreMadeAsTheyAreNeeded() {
    allocate(8);
    Page<TestBlock> page = heap.pages().queues().heads[0];
    assertThat(page.created()).isEqualTo(4096 / 8).isLessThan(page.capacity);
  }

  @Test
  void anExhaustedPageLeavesItsQueueAndComesBackAtTheTail() {
    List<TestBlock> first = fillPage(SIZE);
    List<TestBlock> second = fillPage(SIZE);
    Page<TestBlock> last = allocate(SIZE).page;
    assertThat(first.get(0).page.isQueued()).isFalse();
    first.get(0).release();
    second.get(0).release();
    assertThat(last.next).isEqualTo(first.get(0).page.number());
    assertThat(first.get(0).page.next).isEqualTo(second.get(0).page.number());
  }

  @Test
  void theFirstPageOfABinIsSmall() {
    List<TestBlock> first = fillPage(SIZE);
    assertThat(first.get(0).page.bytes()).isEqualTo(Slices.BYTES);
    assertThat(allocate(SIZE).page.bytes()).isEqualTo(4 * Slices.BYTES);
  }

  @Test
  void emptyPagesAreKeptUpToABoundAndGivenBackByTrim() {
    List<TestBlock> blocks = allocate(SIZE, 20_000);
    blocks.forEach(TestBlock::release);
    assertThat(heap.pageBytes()).isBetween(1L, (long) RetiredPages.PEAK_LIMIT_BYTES);
    heap.trim();
    assertThat(heap.pageBytes()).isZero();
    allocator.trim();
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void burstsOfMoreThanEveryHeapKeepsMakeBlocksOnce() {
    int bytes = 16 * KIB;
    int blocks = 3 * RetiredPages.MIN_LIMIT_BYTES / (2 * bytes);
    for (int i = 0; i < 10; i++) {
      allocate(bytes, blocks).forEach(TestBlock::release);
    }
    assertThat(test.blocksMade.get()).isEqualTo(blocks);
  }

  @Test
  void trimGivesBackEmptyPagesAlone() {
    Page<TestBlock> page = allocate(SIZE).page;
    allocate(2 * SIZE).release();
    heap.trim();
    assertThat(heap.pageBytes()).isEqualTo(page.bytes());
  }

  @Test
  void numbersOfPagesEndWithTheLastPage() {
    List<TestBlock> blocks = allocate(SIZE, 20_000);
    PageTable<TestBlock> table = heap.pages().table();
    assertThat(table.end()).isEqualTo(table.count());
    blocks.forEach(
        block -> {
          if (block.page.number() != 2) {
            block.release();
          }
        });
    heap.trim();
    assertThat(table.count()).isOne();
    assertThat(table.end()).isEqualTo(3);
    assertThat(allocate(2 * SIZE).page.number()).as("the lowest that is free").isZero();
    assertThat(table.end()).isEqualTo(3);
  }

  /** The segment has 14 slices: a page of the one bin takes all, and one of the other 12. */
  @Test
  void emptyPagesMakeRoomForOthersUntilThatIsTooOften() {
    makeRoomSixtyFourTimes(heap, 56 * KIB, 48 * KIB);
    assertThat(test.source.calls()).isOne();
    allocate(48 * KIB).release();
    assertThat(test.source.calls()).isEqualTo(2);
  }

  @Test
  void aTrimBeginsToCountAnew() {
    makeRoomSixtyFourTimes(heap, 56 * KIB, 48 * KIB);
    heap.trim();
    makeRoomSixtyFourTimes(heap, 56 * KIB, 48 * KIB);
    assertThat(test.source.calls()).isOne();
  }

  @Test
  void inALargeHeapEmptyPagesMakeRoomHoweverOften() {
    MemoryPolicy policy =
        new MemoryPolicy(new SegmentSizing(1024 * KIB, 1024 * KIB, 8), Long.MAX_VALUE, 0, 1);
    TestAllocator large = new TestAllocator(policy);
    Heap<TestBlock> largeHeap = large.acquire();
    for (int i = 0; i < 12; i++) {
      largeHeap.allocate(64 * KIB).begin(); // 48 of 64 slices
    }
    makeRoomSixtyFourTimes(largeHeap, 48 * KIB, 56 * KIB);
    largeHeap.allocate(16 * KIB).begin();
    assertThat(largeHeap.pageBytes()).isEqualTo(1024 * KIB);
    largeHeap.allocate(40 * KIB).begin();
    assertThat(large.source.calls()).isOne();
  }

  /** Empty pages that are small and far apart: each that goes costs a search, and makes no room. */
  @Test
  void fewPagesGoForOneThatIsWanted() {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      blocks.add(heap.allocate(20 * KIB).begin()); // four to a page, of a size that does not grow
    }
    List<Page<TestBlock>> pages = blocks.stream().map(block -> block.page).distinct().toList();
    for (TestBlock block : blocks) {
      if (pages.indexOf(block.page) % 40 == 0) {
        block.release();
      }
    }
    assertThat(heap.pages().retired().count()).isGreaterThan(30);
    long gone = 0;
    for (int i = 0; i < 800; i++) {
      heap.allocate(SizeClasses.MAX_BLOCK_BYTES).begin();
      long before = gone;
      gone = pages.stream().filter(Page::isGone).count();
      assertThat(gone - before).as("pages that went for one").isLessThanOrEqualTo(8);
    }
    assertThat(gone).as("pages that went in the end").isGreaterThan(16);
  }

  /** There is no room for pages of both sizes. */
  private static void makeRoomSixtyFourTimes(Heap<TestBlock> heap, int size, int other) {
    for (int i = 0; i <= 64; i++) {
      heap.allocate(i % 2 == 0 ? size : other).begin().release();
    }
  }

  @Test
  void aPageThatIsFoundEmptyIsNotGivenBackWhileABlockIsTakenFromIt() throws Exception {
    int size = 64 << 10;
    int pages = RetiredPages.PEAK_LIMIT_BYTES / (4 * size) + 1; // one more than are kept
    List<TestBlock> blocks = allocate(size, 4 * pages);
    Page<TestBlock> last = blocks.get(blocks.size() - 1).page;
    List<TestBlock> ofLast = new ArrayList<>(blocks);
    ofLast.removeIf(block -> block.page != last);
    assertThat(ofLast).hasSize(4);
    blocks.removeAll(ofLast);
    blocks.forEach(TestBlock::release);
    TestAllocator.runOnThread(() -> ofLast.forEach(TestBlock::release));

    assertThat(allocate(size).page).isSameAs(last);
    assertThat(last.isGone()).isFalse();
    assertThat(heap.pageBytes()).isEqualTo(RetiredPages.PEAK_LIMIT_BYTES);
  }

  @Test
  void aPageThatComesAndGoesIsMadeOnce() {
    TestBlock block = allocate(SIZE);
    for (int i = 0; i < 1000; i++) {
      block.release();
      assertThat(allocate(SIZE)).isSameAs(block);
    }
  }

  /** Sizes as of a WebSocket proxy: pages of thirty bins come to be empty and in use again. */
  @Test
  void steadyWorkMakesHardlyAnyNewBlocks() {
    int[] modes = {15, 256, 256, 615, 1024, 1024, 1024, 2048, 4450, 8663, 16639};
    Random random = new Random(7);
    TestBlock[] live = new TestBlock[128];
    for (int i = 0; i < live.length; i++) {
      live[i] = allocate(32);
    }
    int made = 0;
    for (int i = 0; i < 300_000; i++) {
      if (i == 100_000) {
        made = test.blocksMade.get();
      }
      int slot = random.nextInt(live.length);
      live[slot].release();
      int mode = modes[random.nextInt(modes.length)];
      live[slot] = allocate(mode + mode * random.nextInt(9) / 16);
    }
    assertThat(test.blocksMade.get() - made).isLessThan(1000);
    assertThat(allocator.usedBytes()).isLessThan(4L << 20);
  }

  /** The pages of all these bins do not fit into the first segments at the same time. */
  @Test
  void buffersThatGrowMakeHardlyAnyNewBlocks() {
    int made = 0;
    for (int i = 0; i < 1100; i++) {
      if (i == 100) {
        made = test.blocksMade.get();
      }
      TestBlock block = allocate(256);
      for (int size = 512; size <= 65536; size *= 2) {
        TestBlock larger = allocate(size);
        block.release();
        block = larger;
      }
      block.release();
    }
    assertThat(test.blocksMade.get() - made).isLessThan(100);
    assertThat(allocator.usedBytes()).isLessThanOrEqualTo(1L << 20);
  }

  @Test
  void blocksReleasedElsewhereAreUsedAgain() throws Exception {
    List<TestBlock> released = allocateWithOneLiveInEachPage(10_000);
    long used = allocator.usedBytes();
    TestAllocator.runOnThread(() -> released.forEach(TestBlock::release));
    test.check();
    Set<TestBlock> again = new HashSet<>(allocate(SIZE, released.size()));
    released.removeIf(again::contains);
    assertThat(released).hasSizeLessThan(NOT_MADE_YET);
    assertThat(allocator.usedBytes()).isEqualTo(used);
  }

  @Test
  void trimCollectsWhatOthersReleased() throws Exception {
    List<TestBlock> blocks = allocate(SIZE, 10_000);
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    assertThat(allocator.liveBytes()).isZero();
    assertThat(heap.pageBytes()).isPositive();
    heap.trim();
    assertThat(heap.pageBytes()).isZero();
  }

  @Test
  void liveBytesCountWholeBlocksAndFollowEachRelease() throws Exception {
    TestBlock small = allocate(SIZE);
    TestBlock large = allocate(200_000);
    assertThat(allocator.liveBytes()).isEqualTo(small.size() + large.size());
    TestAllocator.runOnThread(small::release);
    assertThat(allocator.liveBytes()).isEqualTo(large.size());
    large.release();
    assertThat(allocator.liveBytes()).isZero();
  }

  @Test
  void largeBlocksBelongToNoHeapAndAreUsedAgainWhoeverReleasesThem() throws Exception {
    for (int i = 0; i < 1000; i++) {
      TestBlock block = allocate(2 << 20);
      assertThat(block.page.heap()).isNull();
      TestAllocator.runOnThread(block::release);
      assertThat(test.source.peakBytes()).isEqualTo(2 << 20);
    }
  }

  @Test
  void anAbandonedHeapGivesItsEmptyPagesBack() {
    allocate(SIZE, 1000).forEach(TestBlock::release);
    allocator.abandon(heap);
    assertThat(heap.pageBytes()).isZero();
  }

  @Test
  void releasingTheLastBlocksOfAnAbandonedHeapGivesItsPagesBack() throws Exception {
    List<TestBlock> blocks = allocate(SIZE, 1000);
    blocks.addAll(allocate(30, 1000));
    allocator.abandon(heap);
    test.check();
    assertThat(heap.pageBytes()).isPositive();
    Collections.shuffle(blocks, new Random(3));
    TestAllocator.runOnThread(
        () -> {
          for (TestBlock block : blocks) {
            block.release();
            test.check();
          }
        });
    assertThat(heap.pageBytes()).isZero();
    assertThat(test.pool().claimedBytes()).isZero();
  }

  @Test
  void theFormerOwnerReleasesAsAnybody() {
    List<TestBlock> blocks = allocate(SIZE, 1000);
    allocator.abandon(heap);
    blocks.forEach(TestBlock::release);
    assertThat(heap.pageBytes()).isZero();
  }

  @Test
  void anAbandonedHeapIsAdoptedWithItsBlocks() throws Exception {
    List<TestBlock> released = allocateWithOneLiveInEachPage(10_000);
    allocator.abandon(heap);
    TestAllocator.runOnThread(
        () -> {
          assertThat(test.acquire()).isSameAs(heap);
          assertThat(test.acquire()).isNotSameAs(heap);
          released.forEach(TestBlock::release);
          Set<TestBlock> again = new HashSet<>(allocate(SIZE, released.size()));
          released.removeIf(again::contains);
          assertThat(released).hasSizeLessThan(NOT_MADE_YET);
        });
  }

  @Test
  void theHeapOfAThreadThatEndedWithoutAWordIsFoundByTheNext() throws Exception {
    Heap<TestBlock> lost = TestAllocator.onThread(test::acquire);
    assertThat(lost.owner()).isNotNull();
    assertThat(TestAllocator.onThread(test::acquire)).isSameAs(lost);
  }

  @Test
  void trimFindsTheHeapOfADeadThreadToo() throws Exception {
    TestBlock[] block = new TestBlock[1];
    TestAllocator.runOnThread(() -> block[0] = test.acquire().allocate(SIZE).begin());
    block[0].release();
    assertThat(allocator.trim()).isPositive();
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void closingFindsTheHeapOfADeadThreadToo() throws Exception {
    TestBlock[] block = new TestBlock[1];
    TestAllocator.runOnThread(() -> block[0] = test.acquire().allocate(SIZE).begin());
    block[0].release();
    allocator.close();
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void abandoningTwiceIsHarmless() {
    allocator.abandon(heap);
    allocator.abandon(heap);
    assertThat(test.acquire()).isSameAs(heap);
  }

  @Test
  void aDoubleReleaseAtTheSameTimeIsCaughtAndCostsNoBlock() {
    List<TestBlock> blocks = allocate(SIZE, 16);
    blocks.get(3).releaseDeferred();
    blocks.get(4).releaseTwice();
    blocks.get(5).releaseDeferred();
    heap.trim();
    assertThat(test.doubleReleases()).isOne();
    Set<TestBlock> again = new HashSet<>(allocate(SIZE, 3));
    assertThat(again).containsExactlyInAnyOrder(blocks.get(3), blocks.get(4), blocks.get(5));
  }

  @Test
  void aBlockOnTheDeferredListTwiceLosesNoOther() {
    List<TestBlock> blocks = allocate(SIZE, 16);
    blocks.get(1).releaseDeferred();
    blocks.get(2).releaseTwice();
    assertThat(allocate(SIZE)).isSameAs(blocks.get(2)); // while it is on the deferred list
    blocks.get(3).releaseDeferred();
    blocks.get(2).releaseDeferred(); // now twice: the chain is a circle
    heap.trim();
    assertThat(test.doubleReleases()).isPositive();
    Set<TestBlock> again = new HashSet<>(allocate(SIZE, 3));
    assertThat(again).containsExactlyInAnyOrder(blocks.get(1), blocks.get(2), blocks.get(3));
  }

  @Test
  void sharedHeapsServeThreadsThatOwnNone() throws Exception {
    TestBlock block = TestAllocator.onThread(() -> allocator.allocateShared(SIZE).begin());
    assertThat(block.page.heap()).isSameAs(test.shared()[0]);
    block.release();
    assertThat(allocator.liveBytes()).isZero();
    allocator.trim();
    assertThat(test.shared()[0].pageBytes()).isZero();
  }

  private TestBlock allocate(int size) {
    return allocate(size, 1).get(0);
  }

  private List<TestBlock> allocate(int size, int count) {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(heap.allocate(size).begin());
    }
    return blocks;
  }

  /** Allocates, and returns all but those that keep their pages from being given back. */
  private List<TestBlock> allocateWithOneLiveInEachPage(int count) {
    Set<Page<TestBlock>> pages = new HashSet<>();
    List<TestBlock> blocks = allocate(SIZE, count);
    blocks.removeIf(block -> pages.add(block.page));
    return blocks;
  }

  @Test
  void aQuestionIsAskedAgainWhenItsAnswerComesTooLate() {
    List<TestBlock> page = fillPage(SIZE);
    allocate(SIZE); // finds the page exhausted, and asks
    TestBlock block = page.get(0);
    // Another thread pushes, and is to tell ...
    block.deferWithoutTelling();
    // ... while the owner gets the page back, and uses it up.
    page.get(1).release();
    List<TestBlock> others = new ArrayList<>();
    while (block.page.isQueued()) {
      others.add(allocate(SIZE));
    }
    heap.pages().mailbox().post(block.page); // only now it tells
    allocate(5000); // takes the mail
    test.check();
    assertThat(block.page.deferred.isAsked()).isTrue();
  }

  private List<TestBlock> fillPage(int size) {
    TestBlock first = allocate(size);
    List<TestBlock> blocks = allocate(size, first.page.capacity - 1);
    blocks.add(first);
    return blocks;
  }
}
