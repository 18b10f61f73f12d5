package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Many threads at one pool. */
class SegmentPoolStressTest {

  private static final int THREADS = 8;
  private static final int MAX = SegmentSizing.DEFAULT.maxBytes();

  private final TestSource source = new TestSource();
  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void end() throws InterruptedException {
    executor.shutdownNow();
    assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Runs of all kinds come and go beside purges, at the pool's limit or at its source's. */
  @RepeatedTest(6)
  void atRestTheIndexHasEachGapAndTheLimitWasKept(RepetitionInfo repetition) throws Exception {
    boolean sourceFails = repetition.getCurrentRepetition() % 2 == 0;
    long limit = 200 << 20;
    source.limit = sourceFails ? limit / 2 : Long.MAX_VALUE;
    AtomicInteger sourceFailures = new AtomicInteger();
    SegmentPool pool = pool(bytes -> countingFailures(bytes, sourceFailures), limit);
    AtomicInteger failures = new AtomicInteger();
    List<Future<?>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = i;
      threads.add(executor.submit(() -> comeAndGo(pool, new SplittableRandom(seed), failures)));
    }
    for (Future<?> thread : threads) {
      thread.get();
    }
    assertThat(failures).hasPositiveValue();
    assertThat(sourceFailures.get() > 0).isEqualTo(sourceFails);
    assertThat(source.peakBytes()).isLessThanOrEqualTo(limit);
    assertThat(pool.usedBytes()).isEqualTo(source.usedBytes());
    assertThat(pool.claimedBytes()).isZero();
    new PoolInvariants(pool).check();
    pool.purgeIdle();
    pool.purgeIdle();
    assertThat(pool.usedBytes()).isLessThanOrEqualTo(MemoryPolicy.DEFAULT.retainedBytes());
    pool.purge();
    assertThat(source.usedBytes()).isZero();
    new PoolInvariants(pool).check();
  }

  private Memory countingFailures(int bytes, AtomicInteger failures) {
    try {
      return source.allocate(bytes);
    } catch (OutOfMemoryError e) {
      failures.incrementAndGet();
      throw e;
    }
  }

  private static void comeAndGo(SegmentPool pool, SplittableRandom random, AtomicInteger failures) {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (runs.size() < 60 && random.nextInt(3) > 0) {
        try {
          runs.add(claim(pool, random));
        } catch (OutOfMemoryError e) {
          failures.incrementAndGet();
        }
      } else if (!runs.isEmpty()) {
        runs.remove(random.nextInt(runs.size())).release();
      }
      if (random.nextInt(1000) == 0) {
        pool.purgeIdle();
      }
    }
    runs.forEach(Run::release);
  }

  private static Run claim(SegmentPool pool, SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0 -> pool.claimLarge(MAX + random.nextInt(MAX));
      case 1, 2, 3, 4 -> pool.claimLarge(1 + random.nextInt(MAX));
      default -> pool.claim(1 + random.nextInt(8));
    };
  }

  @Test
  void whoeverWaitsInTheSourceIsInNobodysWay() throws Exception {
    CountDownLatch leaveSource = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    SegmentPool pool =
        pool(
            bytes -> {
              if (calls.getAndIncrement() == 0) {
                Awaitility.await().forever().until(() -> leaveSource.getCount() == 0);
              }
              return source.allocate(bytes);
            },
            Long.MAX_VALUE);
    Future<Run> first = executor.submit(() -> pool.claim(1));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() == 1);
    List<Future<Run>> others = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      others.add(executor.submit(() -> pool.claim(1)));
      others.add(executor.submit(() -> pool.claimLarge(MAX + 1)));
      others.add(executor.submit(() -> pool.claimLarge(MAX)));
    }
    for (Future<Run> other : others) {
      other.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS).release();
    }
    pool.purge();
    assertThat(first.isDone()).isFalse();
    leaveSource.countDown();
    first.get().release();
    pool.purge();
    assertThat(source.usedBytes()).isZero();
  }

  /**
   * They wait for one, for longer than the source takes, unless that thread is kept from its
   * processor: one round without that is enough. In the source they would all meet.
   */
  @Test
  void threadsThatRunOutTogetherDoNotObtainASegmentEach() throws Exception {
    int fewest = Integer.MAX_VALUE;
    for (int round = 0; round < 20 && fewest > 1; round++) {
      fewest = Math.min(fewest, segmentsOfThreadsThatRunOutTogether());
    }
    assertThat(fewest).isOne();
  }

  private int segmentsOfThreadsThatRunOutTogether() throws Exception {
    int before = source.calls();
    SegmentPool pool =
        pool(
            bytes -> {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
              return source.allocate(bytes);
            },
            Long.MAX_VALUE);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Future<Run>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          executor.submit(
              () -> {
                start.await();
                return pool.claim(1);
              }));
    }
    for (Future<Run> thread : threads) {
      thread.get();
    }
    return source.calls() - before;
  }

  @Test
  void afterAnyThrowableOfTheSourceNothingIsUsed() {
    for (Throwable thrown :
        List.of(
            new StackOverflowError(),
            new IllegalStateException(new OutOfMemoryError()),
            new AssertionError(),
            new LinkageError())) {
      SegmentPool pool =
          pool(
              bytes -> {
                throw TestSource.<RuntimeException>sneaky(thrown);
              },
              100 << 20);
      for (int bytes : new int[] {1, MAX, MAX + 1}) {
        assertThatThrownBy(() -> pool.claimLarge(bytes)).isSameAs(thrown);
        assertThatThrownBy(() -> pool.claim(1)).isSameAs(thrown);
      }
      assertThat(pool.usedBytes()).isZero();
      assertThat(pool.dedicatedBytes()).isZero();
      new PoolInvariants(pool).check();
    }
  }

  @Test
  void afterAnyThrowableOfTheListenerNothingIsUsed() {
    SegmentListener listener =
        new SegmentListener() {
          @Override
          public void segmentObtained(Memory memory, int bytes, boolean dedicated) {
            throw new AssertionError("the test's listener");
          }
        };
    SegmentPool pool = new SegmentPool(source, MemoryPolicy.DEFAULT, () -> {}, listener);
    for (int bytes : new int[] {1, MAX, MAX + 1}) {
      assertThatThrownBy(() -> pool.claimLarge(bytes)).hasMessage("the test's listener");
    }
    pool.purge();
    assertThat(source.usedBytes()).isEqualTo(pool.usedBytes()).isZero();
  }

  @Test
  void memoryIsUsedUntilItIsFreed() {
    List<Long> usedWhileFreed = new ArrayList<>();
    SegmentPool[] pool = new SegmentPool[1];
    pool[0] = pool(bytes -> () -> usedWhileFreed.add(pool[0].usedBytes()), Long.MAX_VALUE);
    pool[0].claimLarge(MAX + 1).release();
    pool[0].claimLarge(MAX).release();
    pool[0].purge();
    assertThat(usedWhileFreed).containsExactly(MAX + 1L, (long) MAX);
    assertThat(pool[0].usedBytes()).isZero();
  }

  private static SegmentPool pool(MemorySource source, long limit) {
    MemoryPolicy policy = new MemoryPolicy(SegmentSizing.DEFAULT, limit, 512 << 10, 1000);
    return new SegmentPool(source, policy, () -> {}, SegmentListener.NONE);
  }
}
