package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.TestAllocator;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A trim by upkeep is done in portions, and misses nothing that happens between two of them. */
class TrimPortionsTest {

  private static final int PAGES = 25_000;

  /** Four to a page. */
  private static final int SIZE = 32 << 10;

  /** For tests of what happens between two portions: a page is looked at in each. */
  private static final int LEAST = 1;

  /** What became of the blocks before the trim. */
  enum Before {
    OWNER_RELEASED_ALL,
    OTHERS_RELEASED_ALL,
    OTHERS_RELEASED_ALL_WHEN_ASKED_TO,
    OTHERS_RELEASED_HALF,
    ALL_ARE_LIVE
  }

  private TestAllocator test = new TestAllocator();
  private Heap<TestBlock> heap = test.acquire();
  private List<TestBlock> blocks = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void noTaskLooksAtManyPagesAndAllAreSeenInTheEnd(Before before) throws Exception {
    allocatePages(PAGES);
    prepare(before);
    int tasks = 0;
    while (test.ownerUpkeep.size() > 0) {
      runOneTaskAndBoundItsWork();
      if (tasks++ % 100 == 0) {
        test.check();
      }
    }
    assertThat(tasks).isGreaterThan(PAGES / HeapResources.TRIM_PORTION);
    test.check(); // each page that is left was asked for
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    test.ownerUpkeep.runAll();
    test.upkeep.runAll();
    test.check();
    assertThat(heap.pageBytes()).isZero();
  }

  private void prepare(Before before) throws Exception {
    switch (before) {
      case OWNER_RELEASED_ALL -> release(blocks);
      case OTHERS_RELEASED_ALL -> TestAllocator.runOnThread(() -> release(blocks));
      case OTHERS_RELEASED_ALL_WHEN_ASKED_TO -> {
        test.ownerUpkeep.runAll();
        TestAllocator.runOnThread(() -> release(blocks));
      }
      case OTHERS_RELEASED_HALF ->
          TestAllocator.runOnThread(() -> release(blocks.subList(0, blocks.size() / 2)));
      case ALL_ARE_LIVE -> {}
    }
  }

  private void runOneTaskAndBoundItsWork() {
    HeapPages<TestBlock> pages = heap.pages();
    int toTrim =
        pages.portionedTrim().isUnderWay()
            ? pages.portionedTrim().pagesLeft()
            : pages.table().end();
    int pageCount = pages.table().count();
    HeapCounts counts = heap.counts();
    test.ownerUpkeep.runFirst();
    int most = HeapResources.TRIM_PORTION;
    assertThat(toTrim - pages.portionedTrim().pagesLeft())
        .as("numbers looked at")
        .isLessThanOrEqualTo(most);
    assertThat(heap.counts().deferredReleases() - counts.deferredReleases())
        .as("blocks collected")
        .isLessThan(most + 4); // those of the last page
    assertThat(pageCount - pages.table().count())
        .as("pages given back")
        .isLessThanOrEqualTo(most / 16 + 16); // of the last step, smaller ones than it retired
  }

  /** They are not empty when the trim comes to them; the owner then releases them. */
  @Test
  void aRequestDuringATrimIsFollowedByAWholeTrim() throws Exception {
    portionsOf(LEAST);
    allocatePages(20);
    test.ownerUpkeep.runAll();
    assertThat(test.ownerUpkeep.size()).isZero();
    heap.allocate(8).begin().releaseAsOwner(); // a reason
    for (int i = 0; i < 10; i++) {
      test.ownerUpkeep.runFirst();
      test.check();
    }
    assertThat(heap.pages().portionedTrim().isUnderWay()).isTrue();
    TestAllocator.runOnThread(() -> release(blocks)); // asks, as the trim has passed these pages
    runAllWithChecks();
    assertThat(heap.pageBytes()).isZero();
  }

  /** The second run comes before the rest of the first. */
  @Test
  void aRunDuringATrimIsFollowedByAWholeTrim() throws Exception {
    portionsOf(LEAST);
    allocatePages(20);
    test.ownerUpkeep.runFirst(); // the trim has begun, with the pages of the highest numbers
    for (int i = 0; i < 8; i++) {
      test.ownerUpkeep.runFirst();
    }
    Runnable rest = test.ownerUpkeep.takeFirst();
    TestAllocator.runOnThread(() -> release(blocks));
    assertThat(test.ownerUpkeep.size()).as("a run was asked for").isOne();
    test.ownerUpkeep.runOnce();
    test.check();
    rest.run();
    runAllWithChecks();
    assertThat(heap.pageBytes()).isZero();
  }

  /** Nobody asked for such a page when the trim passed it: it was to be given back. */
  @Test
  void anEmptyPageThatIsUsedAgainDuringATrimIsAskedFor() throws Exception {
    portionsOf(LEAST);
    allocatePages(20);
    release(blocks);
    runUntilAllPagesWereLookedAt();
    assertThat(heap.pageBytes()).isPositive();
    blocks.clear();
    blocks.add(heap.allocate(SIZE).begin());
    runAllWithChecks();
    TestAllocator.runOnThread(() -> release(blocks));
    runAllWithChecks();
    assertThat(heap.pageBytes()).isZero();
  }

  /** One that comes soon after another, which looked at all pages, gives back the empty ones. */
  @Test
  void aFailureDuringATrimAsksForPagesThatAreUsedAgain() throws Exception {
    portionsOf(LEAST);
    allocatePages(PAGES);
    int size = 0;
    do {
      test.ownerUpkeep.runAll();
      allocateInVain();
      Page<?> first = blocks.get(0).page;
      List<TestBlock> ofPage = blocks.stream().filter(block -> block.page == first).toList();
      blocks.removeAll(ofPage);
      TestAllocator.runOnThread(ofPage.get(0)::release);
      while (!heap.pages().mailbox().isEmpty() || heap.pages().mail() != null) {
        size += 8;
        blocks.add(heap.allocate(size).begin()); // collects mail, since it needs a page
      }
      ofPage.stream().skip(1).forEach(TestBlock::release);
      runUntilAllPagesWereLookedAt();
      do {
        blocks.add(heap.allocate(SIZE).begin());
      } while (!blocks.get(blocks.size() - 1).page.isRetired());
      allocateInVain();
    } while (!heap.pages().portionedTrim().isUnderWay()); // the second came so late that it trimmed
    test.ownerUpkeep.runAll();
    test.check(); // each page that is left was asked for
    release(blocks);
    test.ownerUpkeep.runAll();
    test.check();
    assertThat(heap.pageBytes()).isZero();
  }

  private void runUntilAllPagesWereLookedAt() {
    PortionedTrim<?> trim = heap.pages().portionedTrim();
    while (trim.pagesLeft() > 0 || !trim.isUnderWay()) {
      test.ownerUpkeep.runFirst();
    }
  }

  private void allocateInVain() {
    test.source.limit = test.source.usedBytes();
    assertThatThrownBy(() -> heap.allocate(1 << 30)).isInstanceOf(OutOfMemoryError.class);
    test.source.limit = Long.MAX_VALUE;
  }

  /** Each of its allocations comes between two portions, and is a reason for another trim. */
  @Test
  void aHeapInUseIsTrimmedToTheEndAllTheSame() throws Exception {
    portionsOf(LEAST);
    allocatePages(200);
    test.ownerUpkeep.runAll();
    TestBlock first = blocks.remove(0); // in the page that a trim comes to last
    for (TestBlock block : List.copyOf(blocks.subList(0, 3))) {
      blocks.remove(block);
      block.releaseAsOwner();
    }
    test.ownerUpkeep.runAll();
    int pages = heap.pages().table().count();
    TestAllocator.runOnThread(first::release);
    for (int i = 0; i < 4 * pages && !first.page.isGone(); i++) {
      heap.allocate(SIZE / 2).begin().releaseAsOwner();
      test.ownerUpkeep.runOnce();
      test.check();
    }
    assertThat(first.page.isGone()).isTrue();
    release(blocks);
    runAllWithChecks();
  }

  @Test
  void theRestIsDoneAtOnceIfItsTaskIsRefused() {
    allocatePages(PAGES);
    release(blocks);
    Runnable run = test.ownerUpkeep.takeFirst();
    test.ownerUpkeep.refuses = true;
    run.run();
    assertThat(heap.pageBytes()).isZero();
    assertThat(test.upkeep.size())
        .as("whoever looks after the dead is told, and whoever does after free segments")
        .isEqualTo(2);
    test.ownerUpkeep.refuses = false;
    heap.pages().upkeep().request();
    runAllWithChecks();
  }

  /** It was left to the owner by an executor that refused twice, and then accepted all the same. */
  @Test
  void aTrimThatTheOwnerBeginsAfterAllIsContinued() {
    portionsOf(LEAST);
    allocatePages(20);
    test.ownerUpkeep.runAll();
    Upkeep upkeep = heap.pages().upkeep();
    test.ownerUpkeep.refuses = true;
    upkeep.request();
    upkeep.requestRefused();
    test.ownerUpkeep.refuses = false;
    upkeep.requestRefused();
    runAllWithChecks();
    blocks.get(0).releaseAsOwner();
    blocks.get(4).releaseAsOwner(); // of another page
    heap.allocate(SIZE);
    heap.allocate(SIZE); // looks for a page, and does a portion
    assertThat(heap.pages().portionedTrim().isUnderWay()).isTrue();
    runAllWithChecks();
    assertThat(heap.pages().portionedTrim().isUnderWay()).isFalse();
  }

  @Test
  void theUsersTrimIsDoneAtOnceAndNothingIsLeftOfAnEarlierOne() {
    allocatePages(PAGES);
    release(blocks);
    test.ownerUpkeep.runFirst();
    assertThat(heap.pages().portionedTrim().isUnderWay()).isTrue();
    heap.trim();
    assertThat(heap.pageBytes()).isZero();
    test.ownerUpkeep.runAll();
    test.check();
  }

  /** Whoever waits for one of them would begin it again. */
  @Test
  void aTrimInOneGoCompletesThoseThatWereToCome() {
    portionsOf(LEAST);
    allocatePages(20);
    PortionedTrim<TestBlock> trim = heap.pages().portionedTrim();
    int first = trim.begin();
    int second = trim.begin();
    heap.trim();
    int third = trim.begin();
    assertThat(trim.isUnderWay()).isTrue();
    assertThat(trim.isComplete(first)).isTrue();
    assertThat(trim.isComplete(second)).isTrue();
    assertThat(trim.isComplete(third)).isFalse();
  }

  /** No number leads to those pages, for they were asked for. */
  @Test
  void aTrimAlsoTakesTheMailThatCameWhileSomeWasLeft() throws Exception {
    portionsOf(LEAST);
    allocatePages(20);
    test.ownerUpkeep.runAll(); // asks for all pages
    List<TestBlock> half = blocks.subList(0, blocks.size() / 2);
    TestAllocator.runOnThread(() -> release(half));
    heap.pages().drainPortion();
    assertThat(heap.pages().mail()).as("left").isNotNull();
    TestAllocator.runOnThread(() -> release(blocks));
    assertThat(heap.pages().mailbox().isEmpty()).isFalse();
    heap.pages().portionedTrim().begin();
    while (heap.pages().portionedTrim().isUnderWay()) {
      heap.pages().portionedTrim().doPortion();
    }
    assertThat(heap.pages().mailbox().isEmpty()).isTrue();
    assertThat(heap.pageBytes()).isZero();
  }

  @Test
  void whoLeavesTrimsAtOnceAndTheRestOfAnEarlierTrimDoesNothing() throws Exception {
    portionsOf(LEAST);
    allocatePages(20);
    test.ownerUpkeep.runFirst();
    test.allocator.abandon(heap);
    test.check();
    assertThat(test.acquire()).isSameAs(heap);
    test.ownerUpkeep.runFirst(); // for the first time that the thread owned the heap
    test.check();
    TestAllocator.runOnThread(() -> release(blocks));
    runAllWithChecks();
    assertThat(heap.pageBytes()).isZero();
  }

  /**
   * Else its sharers would wait for as long, or make another heap. A trim may be over before this
   * thread looks at it, if that is kept from its processor.
   */
  @Test
  void aSharedHeapIsFreeBetweenTwoPortions() throws Exception {
    portionsOf(LEAST);
    for (int i = 0; i < 4000; i++) {
      blocks.add(test.allocator.allocateShared(SIZE).begin());
    }
    Heap<TestBlock> shared = test.shared()[0];
    boolean free = false;
    for (int round = 0; round < 50 && !free; round++) {
      int pages = shared.pages().table().count();
      while (shared.pages().table().count() == pages) { // a new one is a reason for a trim
        blocks.add(test.allocator.allocateShared(SIZE).begin());
      }
      free = isFreeBetweenTwoPortionsOfUpkeep(shared);
    }
    assertThat(free).isTrue();
    release(blocks);
    runAllWithChecks();
    assertThat(shared.pageBytes()).isZero();
  }

  private boolean isFreeBetweenTwoPortionsOfUpkeep(Heap<TestBlock> shared) throws Exception {
    assertThat(test.upkeep.size()).isPositive();
    FutureTask<?> upkeep = new FutureTask<>(test.upkeep::runOnce, null);
    new Thread(upkeep).start();
    boolean free = false;
    while (!upkeep.isDone()) {
      if (shared.pages().portionedTrim().isUnderWay() && shared.tryLock()) {
        free |= shared.pages().portionedTrim().isUnderWay();
        shared.unlock();
      }
    }
    upkeep.get();
    return free;
  }

  /** Its sharers had it whenever the trim was to go on. */
  @Test
  void aTrimThatWasCutShortIsDoneByTheNextRun() throws Exception {
    portionsOf(LEAST);
    for (int i = 0; i < 80; i++) {
      blocks.add(test.allocator.allocateShared(SIZE).begin());
    }
    Heap<TestBlock> shared = test.shared()[0];
    assertThat(shared.tryLock()).isTrue();
    shared.pages().portionedTrim().begin();
    assertThat(shared.pages().portionedTrim().doPortion()).isFalse();
    shared.unlock();
    TestAllocator.runOnThread(() -> release(blocks));
    runAllWithChecks();
    assertThat(shared.pageBytes()).isZero();
  }

  /** Else a thread could trim for ever, at the wish of others that come meanwhile. */
  @Test
  void aTrimIsCompleteBeforeOneThatWasRequestedMeanwhile() {
    portionsOf(LEAST);
    for (int i = 0; i < 80; i++) {
      blocks.add(test.allocator.allocateShared(SIZE).begin());
    }
    Heap<TestBlock> shared = test.shared()[0];
    assertThat(shared.tryLock()).isTrue();
    PortionedTrim<TestBlock> trim = shared.pages().portionedTrim();
    int first = trim.begin();
    assertThat(trim.doPortion()).isFalse();
    int second = trim.begin();
    assertThat(trim.isComplete(first)).isFalse();
    while (!trim.isComplete(first)) {
      assertThat(trim.isComplete(second)).isFalse();
      trim.doPortion();
    }
    assertThat(trim.isUnderWay()).isTrue();
    assertThat(trim.isComplete(second)).isFalse();
    while (trim.isUnderWay()) {
      assertThat(trim.isComplete(second)).isFalse();
      trim.doPortion();
    }
    assertThat(trim.isComplete(second)).isTrue();
    shared.unlock();
    release(blocks);
  }

  /** It takes all blocks that an allocation has just collected, and one more. */
  @Test
  void anExecutorMayExhaustThePageThatAnAllocationCollects() throws Exception {
    portionsOf(LEAST);
    Runnable[] once = {() -> {}};
    heap =
        test.allocator.acquire(
            (task, delay) -> {
              Runnable now = once[0];
              once[0] = () -> {};
              now.run();
              test.ownerUpkeep.execute(task, delay);
            });
    allocatePages(20);
    test.ownerUpkeep.runAll(); // asks for all pages
    Page<TestBlock> page = blocks.get(0).page;
    List<TestBlock> ofPage = blocks.stream().filter(block -> block.page == page).toList();
    blocks.removeAll(ofPage);
    TestAllocator.runOnThread(() -> ofPage.forEach(TestBlock::release));
    test.ownerUpkeep.runFirst(); // has taken the mail, and looked at none of it
    once[0] =
        () -> {
          for (int i = 0; i <= page.capacity; i++) {
            blocks.add(heap.allocate(SIZE).begin());
          }
        };
    int before = blocks.size();
    while (blocks.size() < before + page.capacity + 2) {
      blocks.add(heap.allocate(SIZE).begin());
      test.check();
    }
    assertThat(blocks.stream().filter(block -> block.page == page)).hasSize(page.capacity);
    release(blocks);
    runAllWithChecks();
  }

  private void portionsOf(int work) {
    test = new TestAllocator(MemoryPolicy.DEFAULT, work);
    heap = test.acquire();
  }

  private void allocatePages(int pages) {
    while (heap.pages().table().count() < pages) {
      blocks.add(heap.allocate(SIZE).begin());
    }
  }

  private static void release(List<TestBlock> blocks) {
    blocks.forEach(TestBlock::release);
    blocks.clear();
  }

  private void runAllWithChecks() {
    while (test.ownerUpkeep.size() + test.upkeep.size() > 0) {
      if (test.ownerUpkeep.size() > 0) {
        test.ownerUpkeep.runFirst();
      }
      if (test.upkeep.size() > 0) {
        test.upkeep.runFirst();
      }
      test.check();
    }
  }
}
