package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * What a claim costs does not depend on how much is live: up to 1 TiB of addresses, with no memory
 * behind them. By counts: how many segments are looked at.
 */
class GrowthTest {

  private static final long GIB = 1L << 30;
  private static final SegmentSizing SIZING = SegmentSizing.DEFAULT;
  private static final int REPLACEMENTS = 200_000;

  private final LongAdder looks = new LongAdder();
  private final SegmentList list =
      new SegmentList(
          new SegmentIndex() {
            @Override
            IndexedSegment get(int number) {
              looks.increment();
              return super.get(number);
            }
          },
          () -> 0,
          segment -> {});
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Run> runs = new ArrayList<>();
  private long liveBytes;
  private long usedBytes;
  private int segments;

  @Test
  void aClaimLooksAtAsManySegmentsAtATebibyteAsAtAGibibyte() throws Exception {
    fill(GIB);
    replace(REPLACEMENTS); // as it is after some time
    double atOneGib = looksOfAClaim();
    fill(1024 * GIB);
    replace(REPLACEMENTS);
    double atOneTib = looksOfAClaim();
    assertThat(atOneGib).isBetween(1.0, 2.0);
    assertThat(atOneTib).isLessThanOrEqualTo(1.5 * atOneGib);
    assertThat(segments).as("large ones, from 4 GiB up").isLessThan(250_000);
    assertThat((double) usedBytes / liveBytes).as("used / live").isLessThan(1.15);

    double by64Threads = looksOfAClaimBy(64);
    assertThat(by64Threads).isLessThanOrEqualTo(1.5 * atOneGib);

    assertThat(looksOfPurging(1000)).isLessThanOrEqualTo(2 * 1000);
    PoolInvariants.checkIndex(list);
  }

  private double looksOfAClaim() {
    looks.reset();
    replace(REPLACEMENTS);
    return looks.sum() / (double) REPLACEMENTS;
  }

  /** Each replaces runs of its own share. */
  private double looksOfAClaimBy(int threads) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      looks.reset();
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int share = runs.size() / threads;
        List<Run> own = runs.subList(i * share, (i + 1) * share);
        SplittableRandom ownRandom = random.split();
        done.add(executor.submit(() -> replace(own, ownRandom, REPLACEMENTS / threads)));
      }
      for (Future<?> future : done) {
        future.get();
      }
      return looks.sum() / (double) REPLACEMENTS;
    } finally {
      executor.shutdown();
    }
  }

  /** Frees so many segments and gives them back. */
  private long looksOfPurging(int count) {
    Set<Segment> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; wanted.size() < count; i++) {
      wanted.add(runs.get(i * 1000).segment());
    }
    for (Run run : runs) {
      if (wanted.contains(run.segment())) {
        run.release();
      }
    }
    looks.reset();
    int purged = 0;
    for (IndexedSegment segment = list.lastFree();
        segment != null;
        segment = list.lastFreeBefore(segment)) {
      assertThat(segment.purge()).isTrue();
      purged++;
    }
    assertThat(purged).isGreaterThanOrEqualTo(count);
    return looks.sum() * count / purged;
  }

  private void fill(long bytes) {
    while (liveBytes < bytes) {
      int size = size(random);
      runs.add(claim(Slices.count(size)));
      liveBytes += size;
    }
  }

  private void replace(int times) {
    replace(runs, random, times);
  }

  private void replace(List<Run> own, SplittableRandom random, int times) {
    for (int i = 0; i < times; i++) {
      int victim = random.nextInt(own.size());
      own.get(victim).release();
      own.set(victim, claim(Slices.count(size(random))));
    }
  }

  /** As a pool does. */
  private Run claim(int slices) {
    Run run = list.claim(slices);
    if (run != null) {
      return run;
    }
    synchronized (this) {
      int segmentSlices = SIZING.segmentSlices(slices, true, usedBytes);
      usedBytes += segmentSlices * (long) Slices.BYTES;
      segments++;
      IndexedSegment segment =
          new IndexedSegment(list, () -> {}, segmentSlices * Slices.BYTES, segmentSlices);
      Run first = segment.claim(slices);
      list.add(segment);
      return first;
    }
  }

  /** 16 KiB to 1 MiB, as many of each order of magnitude. */
  private static int size(SplittableRandom random) {
    return (int) (16_384 * Math.pow(64, random.nextDouble()));
  }
}
