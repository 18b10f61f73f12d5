package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.TestSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that comes to the end of its stack, at any place within an operation. */
@Timeout(value = 5, unit = TimeUnit.MINUTES) // who waits for a lock might wait for ever
class StackOverflowTest {

  private static final int SIZE = 1000;

  /** Of which a page has few. */
  private static final int LARGE = 16_000;

  /** So large that a segment holds one. */
  private static final int ALONE = 1 << 20;

  /** So large that the segment goes back with it. */
  private static final int DEDICATED = 9 << 20;

  /** About as many frames as a stack has room for. */
  private static final int MOST_FRAMES = 20_000;

  /** More than an operation can have left when the stack ends within it. */
  private static final int FRAMES_AT_THE_END = 200;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final List<TestBlock> blocks = new ArrayList<>();
  private final TestSource source = new TestSource();
  private final SegmentPool pool = newPool(source);

  @Test
  void inAReleaseLeavesNoLockOfASharedHeapTaken() throws Exception {
    assertThat(DeepStack.runOnEach(this::allocateEnough, blocks, TestBlock::release)).isPositive();
    assertNoLockTaken();
  }

  @Test
  void inAnAllocationLeavesNoLockOfASharedHeapTaken() throws Exception {
    assertThat(DeepStack.run(this::allocateEnough, () -> blocks.add(allocate()))).isPositive();
    assertNoLockTaken();
  }

  /** Otherwise no trim would collect what is released there. */
  @Test
  void inTheReleaseOfAnothersBlockLeavesThePageToTheNextTrim() throws Exception {
    Heap<TestBlock> heap = test.acquire();
    Deque<TestBlock> firstOfPages = new ArrayDeque<>();
    while (firstOfPages.size() < DeepStack.FRAMES * FRAMES_AT_THE_END) {
      TestBlock block = heap.allocate(LARGE).begin();
      if (block.isFirst()) {
        firstOfPages.add(block);
      }
    }
    Runnable takeSome =
        () -> {
          for (int i = 0; i < FRAMES_AT_THE_END; i++) {
            blocks.add(firstOfPages.remove());
          }
        };
    assertThat(DeepStack.runOnEach(takeSome, blocks, TestBlock::releaseDeferred)).isPositive();
    heap.trim();
    test.check();
  }

  /** Otherwise its gaps are not found any more, and its memory never goes back. */
  @Test
  void inTheReleaseOfARunLeavesTheSegmentToItsNextChange() throws Exception {
    overflowInReleases(pool -> List.of(pool.claim(1), pool.claim(1)));
  }

  /** Otherwise its memory never goes back: there is no next change. */
  @Test
  void inTheReleaseOfTheOnlyRunLeavesTheSegmentToTheNextLook() throws Exception {
    overflowInReleases(pool -> List.of(pool.claimLarge(ALONE)));
  }

  private static SegmentPool newPool(TestSource source) {
    return new SegmentPool(source, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
  }

  /** A pool for each release, so that none makes up for what another one left. */
  private static void overflowInReleases(Function<SegmentPool, List<Run>> claim) throws Exception {
    List<Run> toRelease = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    Runnable claimInEach =
        () -> {
          SegmentPool often = newPool(new TestSource());
          for (int i = 0; i < MOST_FRAMES; i++) { // often enough that all of it is compiled
            claim.apply(often).forEach(Run::release);
          }
          for (int i = 0; i < FRAMES_AT_THE_END; i++) {
            TestSource source = new TestSource();
            SegmentPool pool = newPool(source);
            List<Run> runs = claim.apply(pool);
            toRelease.add(runs.get(0));
            checks.add(
                () -> {
                  runs.stream().filter(Run::isClaimed).forEach(Run::release);
                  pool.purge();
                  assertThat(source.usedBytes()).isZero();
                });
          }
        };
    assertThat(DeepStack.runOnEach(claimInEach, toRelease, Run::release)).isPositive();
    checks.forEach(Runnable::run);
  }

  /** Otherwise nobody would give the memory of the segment back. */
  @Test
  void inAPurgeLosesNoSegment() throws Exception {
    Runnable claim =
        () -> {
          for (int i = 0; i < 30; i++) {
            pool.purge();
            List<Run> runs = new ArrayList<>();
            for (int count = 0; count < 100; count++) {
              runs.add(pool.claimLarge(ALONE));
            }
            runs.forEach(Run::release);
          }
          assertThat(pool.segmentsObtained() - pool.segmentsPurged()).isGreaterThan(90);
        };
    assertThat(DeepStack.run(claim, pool::purge)).isPositive();
    pool.purge();
    assertThat(source.usedBytes()).isZero();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Otherwise nobody would know of the memory. */
  @Test
  void inAClaimLosesNoSegment() throws Exception {
    Run[] runs = new Run[DeepStack.FRAMES * MOST_FRAMES];
    AtomicInteger count = new AtomicInteger();
    Runnable claim =
        () -> {
          int next = count.getAndIncrement();
          if (next < runs.length) {
            runs[next] = pool.claimLarge(next % 2 == 0 ? ALONE : DEDICATED);
          }
        };
    assertThat(DeepStack.run(() -> {}, claim)).isPositive();
    Stream.of(runs).filter(Objects::nonNull).forEach(Run::release);
    pool.purge();
    assertThat(source.usedBytes()).isZero();
    assertThat(pool.usedBytes()).isZero();
  }

  /** Otherwise the thread would own a heap that it does not know. */
  @Test
  void inAnAcquisitionGivesTheThreadNoHeap() throws Exception {
    Acquisitions acquisitions = new Acquisitions();
    assertThat(DeepStack.run(acquisitions::begin, acquisitions::acquire)).isPositive();
    acquisitions.check();
  }

  /** Those of one thread after the other. The heaps of those that have ended are there to adopt. */
  private final class Acquisitions {

    private final Heap<?>[] known = new Heap<?>[FRAMES_AT_THE_END];
    private Thread thread = Thread.currentThread();
    private int count;

    void begin() {
      check();
      allocator.abandonEnded();
      Arrays.fill(known, null);
      thread = Thread.currentThread();
      count = 0;
    }

    void acquire() {
      if (count < known.length) {
        known[count] = test.acquire();
        count++; // without a call, and only then: most attempts fail
      }
    }

    /** The thread knows each heap that it owns. */
    void check() {
      assertThat(allocator.owned())
          .filteredOn(heap -> heap.owner() == thread)
          .hasSize(count)
          .allMatch(Arrays.asList(known)::contains);
    }
  }

  /** Otherwise the threads that come to that heap would go to others for ever, and a close wait. */
  private void assertNoLockTaken() {
    assertThat(allocator.heaps()).isNotEmpty().noneMatch(Heap::isLocked);
  }

  private void allocateEnough() {
    for (int i = 0; i < MOST_FRAMES; i++) {
      blocks.add(allocate()); // the heap is biased to this thread now
    }
  }

  private TestBlock allocate() {
    return allocator.allocateShared(SIZE).begin();
  }
}
