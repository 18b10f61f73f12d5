package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is used for what is live, at one GiB live: as much as a long-running server needs, not more
 * after a long time than after a short one, and little when most was released.
 */
class FragmentationTest {

  private static final long LIVE_BYTES = 1L << 30;

  /** Sizes of requests in bytes. */
  enum Sizes {
    /** One in eight of 0.2 to 1.2 MB, the others 64 B to 20 KB. */
    MIXED {
      @Override
      int next(SplittableRandom random) {
        return random.nextInt(8) == 0
            ? random.nextInt(200_000, 1_200_000)
            : random.nextInt(64, 20_000);
      }
    },
    /** A message broker's batches. */
    BATCHES {
      @Override
      int next(SplittableRandom random) {
        return (int) (16_384 * Math.pow(64, random.nextDouble()));
      }
    },
    /** 128 KiB to 8 MiB. */
    LARGE {
      @Override
      int next(SplittableRandom random) {
        return (int) (131_072 * Math.pow(64, random.nextDouble()));
      }
    };

    abstract int next(SplittableRandom random);
  }

  private final SplittableRandom random = new SplittableRandom(1);
  private final TestAllocator test = new TestAllocator();
  private final Heap<TestBlock> heap = test.acquire();
  private final List<TestBlock> blocks = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private long live;
  private long peakLive;

  @ParameterizedTest
  @CsvSource({"MIXED, 1.10", "BATCHES, 1.25", "LARGE, 1.25"})
  void usedStaysNearLiveHoweverLongItGoesOn(Sizes pattern, double mostUsedToLive) {
    fill(pattern);
    churn(pattern, 250_000);
    long early = test.source.peakBytes();
    churn(pattern, 750_000);
    assertThat((double) test.source.peakBytes() / peakLive)
        .as("peak used / peak live")
        .isLessThanOrEqualTo(mostUsedToLive);
    assertThat((double) test.source.peakBytes() / early).as("growth").isLessThan(1.03);
    test.check();
  }

  /**
   * A page is kept by one live block of the many that it has, so the smaller the blocks, the more
   * is kept: blocks that share pages are a tenth of the bytes of MIXED and of BATCHES.
   */
  @ParameterizedTest
  @CsvSource({"MIXED, 3", "BATCHES, 3.5", "LARGE, 3"})
  void littleMoreThanTheRestIsUsedAfterNineOfTenWereReleased(Sizes pattern, double mostUsedToLive) {
    fill(pattern);
    churn(pattern, 50_000);
    for (int i = 0; i < blocks.size(); i++) {
      if (random.nextInt(10) > 0) {
        live -= sizes.get(i);
        blocks.get(i).release();
      }
    }
    heap.trim();
    test.allocator.trim();
    assertThat((double) test.source.usedBytes() / live)
        .as("used / live")
        .isLessThanOrEqualTo(mostUsedToLive);
    test.check();
  }

  private void fill(Sizes pattern) {
    while (live < LIVE_BYTES) {
      int size = pattern.next(random);
      blocks.add(heap.allocate(size).begin());
      sizes.add(size);
      live += size;
    }
    peakLive = live;
  }

  /** Replaces random blocks by others. */
  private void churn(Sizes pattern, int times) {
    for (int i = 0; i < times; i++) {
      int victim = random.nextInt(blocks.size());
      blocks.get(victim).release();
      int size = pattern.next(random);
      blocks.set(victim, heap.allocate(size).begin());
      live += size - sizes.set(victim, size);
      peakLive = Math.max(peakLive, live);
    }
  }
}
