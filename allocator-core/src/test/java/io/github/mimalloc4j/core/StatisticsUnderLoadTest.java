package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Bytes;
import io.github.mimalloc4j.core.statistics.MemoryStatistics.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Whoever reads while others work sees no count go back and nothing below zero. */
class StatisticsUnderLoadTest {

  private static final int WORKERS = 3;
  private static final int READERS = 2;
  private static final int LEAST_ROUNDS = 1_000;
  private static final int READINGS = 3_000;
  private static final int BLOCKS = 40;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;

  /** Blocks that another thread than their owner is to release. */
  private final Queue<TestBlock> handedOver = new ConcurrentLinkedQueue<>();

  private volatile boolean allRead;

  @Test
  void noCountGoesBackAndNothingIsNegative() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Long>> workers = submit(threads, WORKERS, seed -> () -> work(new Random(seed)));
      long read = 0;
      for (Future<Long> reader : submit(threads, READERS, number -> this::readAll)) {
        read = Math.max(read, reader.get());
      }
      allRead = true;
      long allocated = 0;
      for (Future<Long> worker : workers) {
        allocated += worker.get();
      }
      handedOver.forEach(TestBlock::release);
      allocator.trim();
      test.check();
      Counts counts = StatisticsReader.read(allocator).counts();
      assertThat(counts.allocations()).isEqualTo(allocated).isGreaterThanOrEqualTo(read);
      assertThat(counts.segmentsPurged()).isEqualTo(counts.segmentsObtained());
      assertThat(counts.deferredReleases()).isPositive();
      assertThat(counts.adoptions()).isPositive();
      assertThat(allocator.liveBytes()).isZero();
    } finally {
      allRead = true;
      threads.shutdownNow();
    }
  }

  /** Makes pages and gives them back, and heaps, too: that is when counts change their place. */
  private long work(Random random) {
    long allocated = 0;
    for (int round = 0; round < LEAST_ROUNDS || !allRead; round++) {
      Heap<TestBlock> heap = test.acquire();
      List<TestBlock> blocks = new ArrayList<>();
      for (int i = 0; i < BLOCKS; i++) {
        blocks.add(heap.allocate(1 << random.nextInt(13)).begin());
      }
      blocks.add(heap.allocate(200_000).begin());
      blocks.add(allocator.allocateShared(100).begin());
      allocated += blocks.size();
      blocks.subList(0, 5).forEach(handedOver::add);
      blocks.subList(5, blocks.size()).forEach(TestBlock::release);
      for (int i = 0; i < 5; i++) {
        TestBlock block = handedOver.poll();
        if (block != null) {
          block.release();
        }
      }
      heap.trim();
      allocator.abandon(heap);
      if (round % 10 == 0) {
        allocator.trim();
        synchronized (test.upkeep) {
          test.upkeep.runOnce(); // forgets empty heaps
        }
      }
    }
    return allocated;
  }

  /** Returns the allocations of the last reading. */
  private long readAll() {
    Counts before = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    for (int reading = 0; reading < READINGS; reading++) {
      MemoryStatistics now = StatisticsReader.read(allocator);
      assertNoneIsLess(before, now.counts());
      assertSound(now);
      before = now.counts();
    }
    return before.allocations();
  }

  private static void assertNoneIsLess(Counts before, Counts now) {
    long[] first = values(before);
    long[] second = values(now);
    for (int i = 0; i < first.length; i++) {
      assertThat(second[i]).as("%s after %s", now, before).isGreaterThanOrEqualTo(first[i]);
    }
    assertThat(now.segmentsObtained()).isGreaterThanOrEqualTo(now.segmentsPurged());
    assertThat(now.allocations())
        .isGreaterThanOrEqualTo(now.largeAllocations() + now.hugeAllocations());
  }

  private static long[] values(Counts counts) {
    return new long[] {
      counts.allocations(),
      counts.largeAllocations(),
      counts.hugeAllocations(),
      counts.deferredReleases(),
      counts.collects(),
      counts.adoptions(),
      counts.segmentsObtained(),
      counts.segmentsPurged(),
      counts.doubleReleases(),
      counts.outOfMemoryRetries()
    };
  }

  private static void assertSound(MemoryStatistics now) {
    Bytes bytes = now.bytes();
    assertThat(bytes.live() + bytes.cached() + bytes.free()).isEqualTo(bytes.used());
    assertThat(List.of(bytes.live(), bytes.cached(), bytes.free(), bytes.large(), bytes.huge()))
        .allMatch(each -> each >= 0 && each <= bytes.used());
    assertThat(now.sizeClasses())
        .allMatch(each -> each.pages() > 0 && each.liveBlocks() >= 0 && each.freeBlocks() >= 0);
  }

  private static List<Future<Long>> submit(
      ExecutorService threads, int count, IntFunction<Callable<Long>> task) {
    List<Future<Long>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      futures.add(threads.submit(task.apply(i)));
    }
    return futures;
  }
}
