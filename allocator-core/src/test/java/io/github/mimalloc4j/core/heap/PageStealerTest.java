package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.StatisticsReader;
import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two heaps of which one uses what the other leaves idle. */
class PageStealerTest {

  private static final int SIZE = 64 << 10;
  private static final int SMALL_SIZE = SIZE / 4;
  private static final int PAGE_BLOCKS = 4;

  /** Room for a page of small blocks and three of others. */
  private static final int SEGMENT = PAGE_BLOCKS * (SMALL_SIZE + 3 * SIZE);

  private final TestAllocator test =
      new TestAllocator(
          new MemoryPolicy(new SegmentSizing(SEGMENT, SEGMENT, 8), Long.MAX_VALUE, 0, 1));
  private final PageStealer stealer = new PageStealer(test::owned, test::shared);
  private final Heap<TestBlock> heap = test.acquire();
  private final Heap<TestBlock> other = test.acquire();
  private final List<TestBlock> blocks = new ArrayList<>();

  @AfterEach
  void invariantsHold() {
    test.check();
  }

  private TestBlock allocate() {
    return heap.allocate(SIZE).begin();
  }

  /** Allocates all that a segment has room for from the other heap. */
  private void fillSegment() {
    for (int i = 0; i < 4 * PAGE_BLOCKS; i++) {
      blocks.add(other.allocate(i < PAGE_BLOCKS ? SMALL_SIZE : SIZE).begin());
    }
    assertThat(test.source.calls()).isOne();
  }

  private Page<TestBlock> lastPage() {
    return blocks.get(blocks.size() - 1).page;
  }

  private void releaseLastPage() {
    for (int i = 1; i <= PAGE_BLOCKS; i++) {
      blocks.get(blocks.size() - i).releaseDeferred();
    }
  }

  @Test
  void aPageWhoseBlocksWereAllReleasedElsewhereServesAnotherHeap() {
    fillSegment();
    releaseLastPage();
    TestBlock block = allocate();
    assertThat(test.source.calls()).isOne();
    assertThat(lastPage().isStolen()).isTrue();
    assertThat(block.page.run.memory()).isSameAs(lastPage().run.memory());
  }

  @Test
  void itsBlocksForgetMemoryThatOnlyACollectorFrees() {
    test.source.freedByCollector = true;
    fillSegment();
    releaseLastPage();
    allocate();
    assertThat(lastPage().isStolen()).isTrue();
    assertThat(blocks.stream().filter(TestBlock::hasForgotten))
        .containsExactlyElementsOf(blocks.subList(blocks.size() - PAGE_BLOCKS, blocks.size()));
  }

  private void deferPageOfLastOfManyHeaps() {
    Heap<TestBlock> last = heap;
    for (int i = 0; i < 3 * PageStealer.MOST_LOOKS; i++) {
      last = test.acquire();
    }
    for (int i = 0; i < PAGE_BLOCKS; i++) {
      blocks.add(last.allocate(SIZE).begin());
    }
    blocks.forEach(TestBlock::releaseDeferred);
  }

  /** There may be as many heaps as threads, and each may look for a page at the same time. */
  @Test
  void aSearchVisitsSomeHeapsAndTheNextOneGoesOnThere() {
    deferPageOfLastOfManyHeaps();
    int searches = 1;
    while (searches < 10 && !stealer.stealPage(1, false)) {
      searches++;
    }
    assertThat(searches).isBetween(3, 4);
    assertThat(lastPage().isStolen()).isTrue();
  }

  @Test
  void aThoroughSearchVisitsAllHeaps() {
    deferPageOfLastOfManyHeaps();
    assertThat(stealer.stealPage(1, true)).isTrue();
    assertThat(lastPage().isStolen()).isTrue();
  }

  /** Otherwise it stays reachable, and its blocks. */
  @Test
  void aTrimInPortionsForgetsAStolenPageThatWasTheOnlyOne() {
    for (int round = 0; round < 2; round++) {
      blocks.clear();
      for (int i = 0; i < PAGE_BLOCKS; i++) {
        blocks.add(other.allocate(SIZE).begin());
      }
      blocks.forEach(round == 0 ? TestBlock::releaseAsOwner : TestBlock::releaseDeferred);
    }
    assertThat(stealer.stealPage(1, false)).isTrue();
    HeapPages<TestBlock> pages = other.pages();
    assertThat(pages.refillExisting(lastPage().bin)).isNull();
    assertThat(pages.table().end()).isZero();
    assertThat(pages.retired().peek()).isSameAs(lastPage());
    pages.portionedTrim().begin();
    assertThat(pages.portionedTrim().doPortion()).isTrue();
    assertThat(pages.retired().peek()).isNull();
  }

  @Test
  void aPageOfTheWantedSizeIsPreferred() {
    fillSegment();
    for (int i = 0; i < PAGE_BLOCKS; i++) {
      blocks.get(i).releaseDeferred();
    }
    releaseLastPage();
    allocate();
    assertThat(lastPage().isStolen()).isTrue();
    assertThat(blocks.get(0).page.isStolen()).as("a small page, which comes first").isFalse();
  }

  @Test
  void aPageWithABlockInUseIsNotStolen() {
    fillSegment();
    for (int i = 2; i <= PAGE_BLOCKS; i++) {
      blocks.get(blocks.size() - i).releaseDeferred();
    }
    assertThat(stealer.stealPage(1, false)).isFalse();
  }

  @Test
  void aPageWithABlockOnTheFreeStackIsNotStolen() {
    fillSegment();
    blocks.get(blocks.size() - 1).releaseAsOwner();
    for (int i = 2; i <= PAGE_BLOCKS; i++) {
      blocks.get(blocks.size() - i).releaseDeferred();
    }
    assertThat(stealer.stealPage(1, false)).isFalse();
  }

  /** The count of deferred slots is that of the page, but one of them is in use again. */
  @Test
  void aPageWithABlockThatWasReleasedTwiceIsNotStolen() {
    fillSegment();
    for (int i = 2; i <= PAGE_BLOCKS; i++) {
      blocks.get(blocks.size() - i).releaseDeferred();
    }
    TestBlock twice = blocks.get(blocks.size() - 1);
    twice.releaseTwice();
    assertThat(other.allocate(SIZE).begin()).isSameAs(twice);
    assertThat(twice.page.isWhollyDeferred()).isTrue();
    assertThat(stealer.stealPage(1, false)).isFalse();
    other.trim();
    assertThat(test.doubleReleases()).isOne();
  }

  @Test
  void aPageThatItsHolderCollectedMeanwhileIsNotStolen() {
    DeferredList list = new DeferredList(1);
    list.push(0);
    long stamp = list.stampIfFull();
    list.takeAll();
    list.push(0);
    assertThat(list.steal(stamp)).as("the same slots, but another time").isFalse();
    assertThat(list.steal(list.stampIfFull())).isTrue();
  }

  /** As after a double release: the holder may have dropped the page's blocks already. */
  @Test
  void aPageThatWasFoundStolenRemainsSoWhenTheThiefTakesThatBack() {
    Run run = heap.allocate(SIZE).begin().page.run;
    Page<TestBlock> page = new Page<>(heap, run, SizeClasses.bin(SIZE), SIZE, 1);
    page.deferred.push(0);
    long stamp = page.deferred.stampIfFull();
    assertThat(page.deferred.steal(stamp)).isTrue();
    assertThat(page.findStolen()).isTrue();
    page.deferred.restore(stamp);
    assertThat(page.isStolen()).isFalse();
    assertThat(page.findStolen()).as("the first answer holds").isTrue();
  }

  @Test
  void theHolderForgetsAStolenPage() {
    fillSegment();
    assertThat(other.pages().table().count()).isEqualTo(4);
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).isTrue();
    assertThat(other.pageBytes()).as("at once").isEqualTo(SEGMENT - PAGE_BLOCKS * SIZE);
    other.trim();
    assertThat(other.pages().table().count()).isEqualTo(3);
    assertThat(lastPage().isGone()).isTrue();
  }

  @Test
  void theHolderMeetsAStolenPageWhenItAllocates() {
    fillSegment();
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).isTrue();
    for (int i = 0; i < PAGE_BLOCKS; i++) {
      TestBlock block = other.allocate(SIZE).begin();
      assertThat(block.page).isNotSameAs(lastPage());
    }
    assertThat(lastPage().isGone()).isTrue();
    assertThat(test.source.calls()).as("its memory was free").isOne();
  }

  /** It was empty, and kept; then it was in use again. */
  @Test
  void aRetiredPageIsStolen() {
    fillSegment();
    for (int i = 1; i <= PAGE_BLOCKS; i++) {
      blocks.get(blocks.size() - i).releaseAsOwner();
    }
    Page<TestBlock> page = lastPage();
    for (int i = 1; i <= PAGE_BLOCKS; i++) {
      assertThat(other.allocate(SIZE).begin().page).isSameAs(page);
    }
    assertThat(page.isRetired()).isTrue();
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).isTrue();
    other.allocate(SIZE).begin();
    assertThat(page.isGone()).isTrue();
    assertThat(page.isRetired()).as("until its turn comes").isTrue();
    test.check();
    other.trim();
    assertThat(page.isRetired()).isFalse();
  }

  @Test
  void pagesThatOthersReleasedWholeAreLeftToBeStolen() {
    fillSegment();
    other.allocate(SIZE).begin(); // finds the last page exhausted, and asks for it
    releaseLastPage();
    other.allocate(SMALL_SIZE).begin(); // drains the mailbox
    assertThat(lastPage().isQueued()).isTrue();
    assertThat(stealer.stealPage(PAGE_BLOCKS, false)).isTrue();
  }

  @Test
  void aHeapLeavesNoMorePagesToBeStolenThanItKeeps() {
    int pages = 2 * RetiredPages.MIN_LIMIT_BYTES / (PAGE_BLOCKS * SIZE);
    for (int i = 0; i < PAGE_BLOCKS * pages; i++) {
      blocks.add(other.allocate(SIZE).begin());
    }
    other.allocate(SIZE).begin(); // in a page of its own
    for (int i = 0; i < blocks.size(); i++) {
      blocks.get(i).releaseDeferred();
      if (i % (2 * PAGE_BLOCKS) == 0) {
        fillPage(other); // drains the mailbox
      }
    }
    long left =
        blocks.stream()
            .map(block -> block.page)
            .distinct()
            .filter(Page::isWhollyDeferred)
            .mapToLong(Page::bytes)
            .sum();
    assertThat(left)
        .isBetween(RetiredPages.MIN_LIMIT_BYTES / 2L, (long) RetiredPages.MIN_LIMIT_BYTES);
  }

  /** A small heap obtains a segment rather than make room again and again, unless there is none. */
  @Test
  void aHeapThatMadeRoomOftenStillDoesWhenMemoryRunsOut() {
    MemoryPolicy policy = new MemoryPolicy(new SegmentSizing(SEGMENT, SEGMENT, 8), SEGMENT, 0, 1);
    TestAllocator limited = new TestAllocator(policy);
    Heap<TestBlock> needy = limited.acquire();
    Heap<TestBlock> idle = limited.acquire();
    for (int i = 0; i < 4 * PAGE_BLOCKS; i++) {
      blocks.add(idle.allocate(i < PAGE_BLOCKS ? SMALL_SIZE : SIZE).begin());
    }
    releaseLastPage();
    while (needy.pages().room().mayMakeRoom()) {
      needy.pages().room().madeRoom();
    }
    assertThat(needy.allocate(SIZE).begin().page.bytes()).isEqualTo(lastPage().bytes());
    assertThat(lastPage().isStolen()).isTrue();
    limited.check();
  }

  private static void fillPage(Heap<TestBlock> heap) {
    for (int i = 0; i < PAGE_BLOCKS; i++) {
      heap.allocate(SMALL_SIZE).begin();
    }
  }

  @Test
  void theFiguresLoseNoBlockOfAStolenPage() {
    fillSegment();
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).isTrue();
    MemoryStatistics stolen = StatisticsReader.read(test.allocator);
    assertThat(stolen.counts().allocations()).isEqualTo(blocks.size());
    assertThat(stolen.bytes().live()).isEqualTo(SEGMENT - PAGE_BLOCKS * SIZE);
    assertThat(stolen.sizeClasses().get(1).pages()).isEqualTo(2);
    other.trim();
    MemoryStatistics known = StatisticsReader.read(test.allocator);
    assertThat(known.bytes()).isEqualTo(stolen.bytes());
    assertThat(known.counts().allocations()).isEqualTo(blocks.size());
    assertThat(known.counts().deferredReleases()).isEqualTo(PAGE_BLOCKS);
  }

  @Test
  void aSearchIsLimitedAndTheNextGoesOn() {
    for (int i = 0; i < PAGE_BLOCKS * (PageStealer.MOST_LOOKS + 1); i++) {
      blocks.add(other.allocate(SIZE).begin());
    }
    List<Page<TestBlock>> all = blocks.stream().map(block -> block.page).distinct().toList();
    assertThat(all).hasSizeGreaterThan(PageStealer.MOST_LOOKS);
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).as("too far away").isFalse();
    assertThat(stealer.stealPage(1, false)).isTrue();
  }

  @Test
  void aSearchEndsWithTheLastPageOfAHeapNotWhereItOnceWas() {
    for (int i = 0; i < PAGE_BLOCKS * 65 * PageStealer.MOST_LOOKS; i++) {
      blocks.add(heap.allocate(SIZE).begin());
    }
    blocks.forEach(TestBlock::release);
    heap.trim();
    blocks.clear();
    for (int i = 0; i < PAGE_BLOCKS; i++) {
      blocks.add(other.allocate(SIZE).begin());
    }
    releaseLastPage();
    assertThat(stealer.stealPage(1, false)).as("from the heap after that one").isTrue();
  }

  /** That of the heap in need goes first; each is found once. */
  @Test
  void largePagesThatHeapsKeepAreFound() {
    for (Heap<TestBlock> each : List.of(heap, other)) {
      each.allocate(10 * SMALL_SIZE).begin().release();
      assertThat(each.pages().keptLarge().kept()).isNotNull();
    }
    assertThat(stealer.stealKeptLarge(other)).isTrue();
    assertThat(other.pages().keptLarge().kept()).isNull();
    assertThat(heap.pages().keptLarge().kept()).isNotNull();
    assertThat(stealer.stealKeptLarge(other)).isTrue();
    assertThat(heap.pages().keptLarge().kept()).isNull();
    assertThat(stealer.stealKeptLarge(other)).isFalse();
    assertThat(stealer.stealKeptLarge(null)).isFalse();
    assertThat(test.pool().claimedBytes()).isZero();
  }

  @Test
  void thereMayBeNoHeaps() {
    assertThat(LoneHeap.stealer().stealPage(1, false)).isFalse();
    assertThat(LoneHeap.stealer().stealKeptLarge(null)).isFalse();
  }
}
