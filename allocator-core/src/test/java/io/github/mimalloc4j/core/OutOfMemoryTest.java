package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapResources;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.MemorySource;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Out of memory in the middle of an operation: nothing is lost, and it works when there is some.
 */
class OutOfMemoryTest {

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Heap<TestBlock> heap = test.acquire();

  @AfterEach
  void everythingComesBack() {
    test.source.limit = Long.MAX_VALUE;
    heap.trim();
    allocator.trim();
    test.check();
    assertThat(allocator.usedBytes()).isZero();
    assertThat(test.source.usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 1000, 40_000, 128 << 10, 200_000, 2 << 20, 9 << 20})
  void atTheLimitOfTheSourceNothingIsLost(int size) {
    test.source.limit = 20 << 20;
    List<TestBlock> blocks = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                blocks.add(heap.allocate(size).begin());
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
    test.check();
    assertThat((long) blocks.size() * size).isGreaterThan((20 << 20) * 8L / 10 - size);
    blocks.remove(blocks.size() / 2).release();
    blocks.add(heap.allocate(size).begin());
    blocks.forEach(TestBlock::release);
  }

  @Test
  void beforeAnErrorTheCallersOwnMemoryIsTrimmed() throws Exception {
    test.source.limit = 4 << 20;
    List<TestBlock> blocks = fill(() -> heap.allocate(1000));
    TestAllocator.runOnThread(() -> blocks.forEach(TestBlock::release));
    assertThatCode(() -> heap.allocate(2 << 20).begin().release()).doesNotThrowAnyException();
  }

  /** Nothing that is given back would help. */
  @ParameterizedTest
  @CsvSource({"4194304, 8388608", "8388608, 4194304"})
  void aBlockLargerThanAllMemoryCostsNoOther(long limit, long reachable) {
    for (int bytes : new int[] {(4 << 20) + 1, 9 << 20, Integer.MAX_VALUE}) {
      TestAllocator limited =
          new TestAllocator(
              new MemoryPolicy(SegmentSizing.DEFAULT, limit, reachable, 512 << 10, 1000));
      limited.source.limit = 4 << 20;
      Heap<TestBlock> own = limited.acquire();
      own.allocate(1000).begin().release();
      own.allocate(1 << 20).begin().release();
      long used = limited.allocator.usedBytes();
      assertThatThrownBy(() -> own.allocate(bytes)).isInstanceOf(OutOfMemoryError.class);
      assertThatThrownBy(() -> limited.allocator.allocateShared(bytes))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(limited.allocator.usedBytes()).isEqualTo(used);
      assertThat(limited.allocator.counters().outOfMemoryRetries()).isZero();
      limited.check();
      own.allocate(3 << 20).begin().release(); // in the place of what was kept
      limited.allocator.close();
      assertThatThrownBy(() -> own.allocate(bytes)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void beforeAnErrorHeapsWithoutAnOwnerAreTrimmed() throws Exception {
    test.source.limit = 4 << 20;
    TestAllocator.runOnThread(
        () -> {
          List<TestBlock> blocks = new ArrayList<>();
          for (int i = 0; i < 3000; i++) {
            blocks.add(allocator.allocateShared(1000).begin());
          }
          blocks.forEach(TestBlock::release);
        });
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> dead = test.acquire();
          dead.allocate(500).begin().release();
        });
    assertThatCode(() -> heap.allocate(4 << 20).begin().release()).doesNotThrowAnyException();
  }

  @Test
  void beforeAnErrorForAPageHeapsWithoutAnOwnerAreTrimmedToo() throws Exception {
    test.source.limit = 1 << 20;
    TestAllocator.runOnThread(
        () -> {
          List<TestBlock> blocks = fill(() -> allocator.allocateShared(1000));
          blocks.forEach(TestBlock::release);
        });
    assertThatCode(() -> heap.allocate(40_000).begin().release()).doesNotThrowAnyException();
  }

  /** Whoever looks for memory may be an event loop, and may have another heap's lock. */
  @Test
  void beforeAnErrorASharedHeapIsTrimmedWithoutASleep() throws Exception {
    test.source.limit = 4 << 20;
    List<TestBlock> blocks = new ArrayList<>();
    TestAllocator.runOnThread(
        () -> {
          for (int i = 0; i < 2 * HeapResources.TRIM_PORTION; i++) {
            blocks.add(allocator.allocateShared(1000).begin());
          }
        });
    blocks.forEach(TestBlock::release); // which defers them
    long waits = waitsOfThisThread();
    heap.allocate(4 << 20).begin().release();
    assertThat(waitsOfThisThread()).isEqualTo(waits);
  }

  private static long waitsOfThisThread() {
    return ManagementFactory.getThreadMXBean()
        .getThreadInfo(Thread.currentThread().getId())
        .getWaitedCount();
  }

  /** Their owner is busy, and has not collected what others have released. */
  @ParameterizedTest
  @CsvSource({"200000, true", "200000, false", "9000000, true", "9000000, false"})
  void beforeAnErrorForALargeBlockPagesAreStolen(int size, boolean owned) throws Exception {
    test.source.limit = 10 << 20;
    List<TestBlock> blocks = fill(() -> heap.allocate(32 << 10));
    TestAllocator.runOnThread(
        () -> {
          blocks.forEach(TestBlock::release);
          if (owned) {
            Heap<TestBlock> own = test.acquire();
            own.allocate(size).begin().release();
            allocator.abandon(own);
          } else {
            allocator.allocateShared(size).begin().release();
          }
        });
  }

  /** The owner of the others would have to create all their blocks again. */
  @ParameterizedTest
  @CsvSource({"200000, 0", "200000, 32", "1048576, 0", "1048576, 64"})
  void beforeAnErrorForALargeBlockNoMorePagesAreStolenThanItNeeds(int size, int each)
      throws Exception {
    test.source.limit = 64 << 20;
    List<TestBlock> blocks = fill(() -> heap.allocate(32 << 10));
    List<TestBlock> live = new ArrayList<>(); // so that no segment becomes free
    for (int i = 0; each > 0 && i < blocks.size(); i += each) {
      live.add(blocks.get(i));
    }
    blocks.removeAll(live);
    long before = heap.pageBytes();
    TestAllocator.runOnThread(
        () -> {
          blocks.forEach(TestBlock::release);
          allocator.allocateShared(size).begin().release();
        });
    assertThat(before - heap.pageBytes()).as("stolen").isBetween(1L, 8L << 20);
    live.forEach(TestBlock::release);
  }

  /** The first page of each of these sizes is a slice; one of blocks of 100,000 bytes needs 28. */
  @Test
  void beforeAnErrorForABlockOfAPageAsManyPagesAreStolenAsItNeeds() throws Exception {
    test.source.limit = 512 << 10;
    PrimitiveIterator.OfInt sizes =
        IntStream.range(0, SizeClasses.count())
            .map(SizeClasses::blockBytes)
            .flatMap(size -> IntStream.generate(() -> size).limit(Slices.BYTES / size))
            .iterator();
    List<TestBlock> blocks = fill(() -> heap.allocate(sizes.nextInt()));
    assertThat(heap.pageBytes()).isEqualTo(512 << 10);
    TestAllocator.runOnThread(
        () -> {
          blocks.forEach(TestBlock::release);
          assertThatCode(() -> allocator.allocateShared(100_000).begin().release())
              .doesNotThrowAnyException();
        });
  }

  /** Further pages are larger than the first, until there is no room for such a one. */
  @Test
  void smallGapsServeBeforeAnotherSegmentIsObtained() {
    int slices = SegmentSizing.DEFAULT.minBytes() / Slices.BYTES;
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < slices * Slices.BYTES / 256; i++) {
      blocks.add(heap.allocate(256).begin());
    }
    assertThat(slices % 4).as("the first page has one slice, each further one four").isZero();
    assertThat(allocator.pool().segmentsObtained()).isOne();
    blocks.forEach(TestBlock::release);
  }

  /** As above. */
  @Test
  void smallGapsServeBeforeAnError() {
    test.source.limit = 7 * Slices.BYTES;
    List<TestBlock> blocks = fill(() -> heap.allocate(256));
    assertThat(blocks).as("pages of 1, 4, 1 and 1 slices").hasSize(7 * Slices.BYTES / 256);
    blocks.forEach(TestBlock::release);
  }

  /** They are not waited for: what they give back is there for the next allocation. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 200_000, 9 << 20})
  void anAllocationThatFailsHasOwnersGiveTheirEmptyPagesBack(int size) throws Exception {
    test.source.limit = 10 << 20;
    fill(() -> heap.allocate(1000)).forEach(TestBlock::release);
    assertThat(heap.pageBytes()).as("kept").isGreaterThan(1 << 20);
    List<TestBlock> blocks = new ArrayList<>();
    TestAllocator.runOnThread(() -> blocks.addAll(fill(() -> allocator.allocateShared(size))));
    for (int i = 0; i < 100; i++) {
      TestAllocator.runOnThread(() -> blocks.addAll(fill(() -> allocator.allocateShared(size))));
    }
    assertThat(test.ownerUpkeep.size()).as("in a while").isOne();
    test.upkeep.runAll();
    assertThat(test.ownerUpkeep.size()).as("and once at once").isEqualTo(2);
    test.ownerUpkeep.runOnce();
    assertThat(heap.pageBytes()).isZero();
    int count = blocks.size();
    TestAllocator.runOnThread(() -> blocks.addAll(fill(() -> allocator.allocateShared(size))));
    assertThat(blocks).hasSizeGreaterThan(count);
    blocks.forEach(TestBlock::release);
  }

  /** The executor may run code of the program, which may allocate or close the allocator. */
  @Test
  void noOwnerIsAskedForMemoryInTheMiddleOfAnAllocation() throws Exception {
    test.source.limit = 1 << 20;
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger locked = new AtomicInteger();
    Heap<TestBlock> own =
        allocator.acquire(
            (task, delay) -> {
              calls.incrementAndGet();
              locked.addAndGet((int) Stream.of(test.shared()).filter(Heap::isLocked).count());
              test.ownerUpkeep.execute(task, delay);
            });
    own.allocate(100).begin().release();
    calls.set(0);
    List<TestBlock> blocks = new ArrayList<>();
    TestAllocator.runOnThread(() -> blocks.addAll(fill(() -> allocator.allocateShared(1000))));
    assertThat(calls).hasValue(0);
    test.upkeep.runAll();
    assertThat(calls).as("asked to trim").hasPositiveValue();
    assertThat(locked).hasValue(0);
    blocks.forEach(TestBlock::release);
    own.trim();
  }

  /** There may be hundreds of thousands of pages, and thousands of failures a second. */
  @Test
  void atTheLimitFewFailuresLookAtAllPages() throws Exception {
    test.source.limit = 16L << 30;
    List<TestBlock> blocks = fill(() -> heap.allocate(100_000)); // until the first look
    int pages = heap.pageCount();
    assertThat(pages).isGreaterThan(30_000);
    test.ownerUpkeep.runAll();
    int failures = 100;
    int asked = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < failures; i++) {
      TestAllocator.runOnThread(
          () ->
              assertThatThrownBy(() -> allocator.allocateShared(100_000))
                  .isInstanceOf(OutOfMemoryError.class));
      test.upkeep.runAll();
      asked += test.ownerUpkeep.size() > 0 ? 1 : 0;
      test.ownerUpkeep.runAll();
    }
    int failuresPerTrim = failuresPerLook(pages);
    assertThat((long) asked)
        .as("trims of the full heap")
        .isGreaterThanOrEqualTo(failures / failuresPerTrim)
        .isLessThanOrEqualTo(1 + failures / failuresPerTrim + timelyLooks(begin, pages));
    int failuresPerLook = failuresPerLook(pages + test.pool().segmentCount());
    long live = allocator.liveBytes();
    assertThat(allocator.liveBytesAtFailure()).isEqualTo(live);
    blocks.subList(0, 8).forEach(TestBlock::release);
    for (int i = 1; i < failuresPerLook; i++) {
      assertThat(allocator.liveBytesAtFailure())
          .as("before, or now")
          .isIn(live, allocator.liveBytes());
    }
    assertThat(allocator.liveBytesAtFailure()).isEqualTo(allocator.liveBytes()).isLessThan(live);
    test.ownerUpkeep.runAll();
    TestAllocator.runOnThread(() -> allocator.allocateShared(100_000).begin().release());
    blocks.subList(8, blocks.size()).forEach(TestBlock::release);
  }

  /** A program may have few pages, but many segments. */
  @Test
  void atTheLimitFewFailuresReadAllSegmentsForTheirFigures() {
    test.source.limit = 16L << 30;
    List<TestBlock> blocks = fill(() -> heap.allocate(200_000));
    assertThat(heap.pageCount()).isLessThan(10);
    int segments = test.pool().segmentCount();
    assertThat(segments).isGreaterThan(2 * 1024);
    int failures = 100;
    int current = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < failures; i++) {
      blocks.remove(blocks.size() - 1).release();
      current += allocator.liveBytesAtFailure() == allocator.liveBytes() ? 1 : 0;
    }
    assertThat((long) current)
        .isPositive()
        .isLessThanOrEqualTo(
            1 + failures / failuresPerLook(segments) + timelyLooks(begin, segments));
    blocks.forEach(TestBlock::release);
  }

  private static int failuresPerLook(int looks) {
    return (looks + 1023) / 1024;
  }

  /** How many looks at so many the time since then may have allowed. */
  private static long timelyLooks(long begin, int looks) {
    return (System.nanoTime() - begin) / Math.min(looks * 2_000L, 1_000_000_000);
  }

  /**
   * Other threads release while this one waits for memory, as for the JDK's garbage collection.
   *
   * @param call which of the calls of the source they do that in
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void blocksThatComeBackWhileMemoryIsLookedForAreUsed(int call) {
    List<TestBlock> blocks = new ArrayList<>();
    AtomicInteger calls = new AtomicInteger();
    MemorySource source =
        bytes -> {
          try {
            return test.source.allocate(bytes);
          } catch (OutOfMemoryError e) {
            if (calls.incrementAndGet() == call && !blocks.isEmpty()) {
              blocks.remove(blocks.size() / 2).releaseDeferred(); // as another thread does
            }
            throw e;
          }
        };
    BlockAllocator<TestBlock> releasing =
        new BlockAllocator<>(
            source, MemoryPolicy.DEFAULT, 1, TestBlock::new, test.upkeep, releases -> {});
    Heap<TestBlock> own = releasing.acquire(test.ownerUpkeep);
    test.source.limit = 1 << 20;
    for (int i = 0; i < 3000; i++) { // many more than there is room for: each gets a block
      calls.set(0);
      blocks.add(own.allocate(1000).begin());
    }
    Invariants.check(releasing);
    blocks.forEach(TestBlock::release);
    own.trim();
    releasing.trim();
  }

  @Test
  void withoutJavaHeapForTheFirstBlockOfAPageTheSlicesAreGivenBack() {
    test.failingBlocks.set(1);
    assertThatThrownBy(() -> heap.allocate(1000)).isInstanceOf(OutOfMemoryError.class);
    test.check();
    assertThat(allocator.pool().claimedBytes()).isZero();
    heap.allocate(1000).begin().release();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLargeBlockIsTriedAgainWhetherItsSegmentExistsOrNot(boolean exists) throws Exception {
    if (exists) {
      TestAllocator.runOnThread(() -> allocator.allocateShared(300_000).begin().release());
    }
    test.failingBlocks.set(1);
    heap.allocate(200_000).begin().release();
    assertThat(test.failingBlocks.get()).isZero();
  }

  @Test
  void withoutJavaHeapForALargeBlockTheSlicesAreGivenBack() {
    for (int size : new int[] {200_000, 20 << 20}) {
      test.failingBlocks.set(2); // the second after everything was trimmed
      assertThatThrownBy(() -> heap.allocate(size)).isInstanceOf(OutOfMemoryError.class);
    }
    test.check();
    assertThat(allocator.pool().claimedBytes()).isZero();
    heap.allocate(200_000).begin().release();
  }

  @Test
  void withoutJavaHeapForFurtherBlocksAPageKeepsThoseItHas() {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      blocks.add(heap.allocate(1000).begin());
    }
    test.failingBlocks.set(1);
    assertThatThrownBy(() -> heap.allocate(1000)).isInstanceOf(OutOfMemoryError.class);
    test.check();
    blocks.add(heap.allocate(1000).begin());
    blocks.forEach(TestBlock::release);
  }

  /** The page at the queue's head is the newest, of which no other block was needed yet. */
  @Test
  void withoutJavaHeapForFurtherBlocksAnotherPageServes() {
    List<TestBlock> blocks = new ArrayList<>();
    while (heap.pageCount() < 3 || test.blocksMade.get() > blocks.size()) {
      blocks.add(heap.allocate(1000).begin());
    }
    blocks.remove(0).release();
    test.failingBlocks.set(100);
    blocks.add(heap.allocate(1000).begin());
    test.check();
    assertThatThrownBy(() -> heap.allocate(1000)).isInstanceOf(OutOfMemoryError.class);
    test.failingBlocks.set(0);
    blocks.add(heap.allocate(1000).begin());
    assertThat(heap.pageCount()).as("the newest has made more").isEqualTo(3);
    blocks.forEach(TestBlock::release);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void failuresAtRandomPlacesLoseNothing(long seed) {
    Random random = new Random(seed);
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      test.source.limit = random.nextInt(32) << 20;
      test.failingBlocks.set(random.nextInt(10) == 0 ? random.nextInt(3) : 0);
      try {
        int size = random.nextInt(1 << random.nextInt(22));
        blocks.add(
            (random.nextBoolean() ? heap.allocate(size) : allocator.allocateShared(size)).begin());
      } catch (OutOfMemoryError e) {
        test.check();
      }
      while (blocks.size() > 500) {
        blocks.remove(random.nextInt(blocks.size())).release();
      }
    }
    test.failingBlocks.set(0);
    blocks.forEach(TestBlock::release);
  }

  /**
   * Each place that needs memory fails in turn. Before an allocation fails, a segment is tried for
   * four times: as large as it should be and as small as may be, before and after a trim.
   */
  @ParameterizedTest
  @CsvSource({"3, true, false", "4, true, true", "9, true, true", "2, false, true"})
  void failuresAtEachPlaceInTurnLoseNothing(
      int failures, boolean ofTheSource, boolean moreThanRetries) throws Exception {
    int errors = 0;
    int place = 0;
    boolean failed;
    do {
      TestAllocator injected = new TestAllocator();
      if (ofTheSource) {
        injected.source.callsUntilFailure = place++;
        injected.source.failures = failures;
      } else {
        injected.blocksUntilFailure.set(place);
        place += 37; // there are thousands
        injected.failingBlocks.set(failures);
      }
      errors += new Program(injected).run();
      failed = (ofTheSource ? injected.source.failures : injected.failingBlocks.get()) == 0;
      assertThat(place).isLessThan(100_000);
    } while (failed);
    assertThat(errors > 0).as("an allocation failed").isEqualTo(moreThanRetries);
  }

  static Stream<Throwable> otherFailures() {
    return Stream.of(
        new StackOverflowError("planted"),
        new IllegalStateException("planted"),
        new AssertionError("planted"),
        new Exception("planted"));
  }

  /** Failures other than a lack of memory are not tried again: the caller gets them at no cost. */
  @ParameterizedTest
  @MethodSource("otherFailures")
  void otherFailuresAtEachBlockInTurnLoseNothing(Throwable failure) throws Exception {
    int errors = 0;
    int place = 0;
    TestAllocator injected;
    do {
      injected = new TestAllocator();
      injected.blockFailure = failure;
      injected.blocksUntilFailure.set(place);
      injected.failingBlocks.set(1);
      place += 37; // there are thousands
      errors += new Program(injected).run();
    } while (injected.failingBlocks.get() == 0);
    assertThat(errors).isPositive();
  }

  @ParameterizedTest
  @MethodSource("otherFailures")
  void otherFailuresAtEachCallOfTheSourceLoseNothing(Throwable failure) throws Exception {
    int errors = 0;
    int place = 0;
    TestAllocator injected;
    do {
      injected = new TestAllocator();
      injected.source.failure = failure;
      injected.source.callsUntilFailure = place++;
      injected.source.failures = 1;
      errors += new Program(injected).run();
    } while (injected.source.failures == 0);
    assertThat(errors).isEqualTo(place - 1);
  }

  /** Nobody but the upkeep learns of that: neither an allocation nor a release fails. */
  @ParameterizedTest
  @MethodSource("otherFailures")
  void failuresAtEachCallOfAnExecutorLoseNothing(Throwable failure) throws Exception {
    int place = 0;
    TestAllocator injected;
    do {
      injected = new TestAllocator();
      injected.ownerUpkeep.failAfter(place, failure);
      injected.upkeep.failAfter(place++, failure);
      assertThat(new Program(injected).run()).as("errors").isZero();
    } while (!injected.ownerUpkeep.isToFail() || !injected.upkeep.isToFail());
    assertThat(place).isGreaterThan(2);
  }

  /** A bit of everything; what fails is tried again, and must work then. */
  private static final class Program {
    private final TestAllocator test;
    private final List<TestBlock> live = new ArrayList<>();
    private int errors;

    Program(TestAllocator test) {
      this.test = test;
    }

    int run() throws Exception {
      Heap<TestBlock> heap = test.acquire();
      int[] sizes = {8, 64, 1000, 5000, 40_000, 128 << 10, 200_000, 2 << 20, 9 << 20};
      for (int size : sizes) {
        for (int i = 0; i < 40; i++) {
          allocate(heap, size);
          if (i % 3 == 2) {
            live.remove(0).release();
          }
          if (i % 7 == 6) {
            TestBlock block = live.remove(live.size() / 2);
            TestAllocator.runOnThread(block::release);
          }
        }
        allocate(null, size);
        test.ownerUpkeep.runAll();
        test.upkeep.runOnce();
      }
      test.allocator.abandon(heap);
      heap = test.acquire();
      allocate(heap, 300);
      live.forEach(TestBlock::release);
      test.check();
      heap.trim();
      test.allocator.trim();
      assertThat(test.source.usedBytes()).isZero();
      assertThat(test.allocator.usedBytes()).isZero();
      return errors;
    }

    private void allocate(Heap<TestBlock> heap, int size) {
      for (int attempt = 0; ; attempt++) {
        try {
          TestBlock block =
              heap == null ? test.allocator.allocateShared(size) : heap.allocate(size);
          live.add(block.begin());
          return;
        } catch (Throwable e) {
          if (e != test.blockFailure
              && e != test.source.failure
              && !(e instanceof OutOfMemoryError)) {
            throw e;
          }
          errors++;
          test.check();
          assertThat(attempt).as("attempts that failed").isLessThan(3);
        }
      }
    }
  }

  private static List<TestBlock> fill(Supplier<TestBlock> allocation) {
    List<TestBlock> blocks = new ArrayList<>();
    try {
      while (true) {
        blocks.add(allocation.get().begin());
      }
    } catch (OutOfMemoryError e) {
      return blocks;
    }
  }

  /** The search for memory may have taken pages from those that upkeep was to look at. */
  @Test
  void aPageThatCannotBeMadeIsAReasonForUpkeep() {
    TestAllocator test = new TestAllocator();
    Heap<TestBlock> heap = test.acquire();
    test.ownerUpkeep.runAll();
    assertThat(test.ownerUpkeep.size()).isZero();
    test.failingBlocks.set(1);
    assertThatThrownBy(() -> heap.allocate(64)).isSameAs(test.blockFailure);
    assertThat(test.ownerUpkeep.size()).isOne();
  }
}
