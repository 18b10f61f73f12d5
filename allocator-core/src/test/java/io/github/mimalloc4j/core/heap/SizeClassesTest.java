package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.memory.Slices;
import org.junit.jupiter.api.Test;

class SizeClassesTest {

  /** The modes of the WebSocket-proxy pattern and their weights in per mille. */
  private static final double[][] WEB_SOCKET = {
    {15, 117.9},
    {9, 3.6},
    {17, 7.2},
    {21, 3.6},
    {36, 3.9},
    {48, 3.9},
    {64, 0.3},
    {128, 0.2},
    {256, 242.4},
    {301, 1.8},
    {441, 5.1},
    {615, 38.3},
    {635, 7.2},
    {636, 62.0},
    {637, 5.2},
    {949, 0.2},
    {1024, 333.7},
    {1276, 0.5},
    {2048, 30.0},
    {2327, 2.7},
    {4450, 7.7},
    {7110, 0.6},
    {8447, 6.3},
    {8663, 3.8},
    {15764, 1.1},
    {16639, 105.6},
    {16832, 5.0}
  };

  @Test
  void blockSizesGrowAndEndWithTheLargest() {
    for (int bin = 1; bin < SizeClasses.count(); bin++) {
      assertThat(SizeClasses.blockBytes(bin)).isGreaterThan(SizeClasses.blockBytes(bin - 1));
      assertThat(SizeClasses.blockBytes(bin) % 8).isZero();
    }
    assertThat(SizeClasses.blockBytes(0)).isEqualTo(8);
    assertThat(SizeClasses.blockBytes(SizeClasses.count() - 1))
        .isEqualTo(SizeClasses.MAX_BLOCK_BYTES);
    assertThat(SizeClasses.count()).isLessThanOrEqualTo(Byte.MAX_VALUE);
  }

  @Test
  void everySizeGetsTheSmallestBlockThatHoldsIt() {
    for (int size = 0; size <= SizeClasses.MAX_BLOCK_BYTES; size++) {
      int bin = SizeClasses.bin(size);
      assertThat(SizeClasses.blockBytes(bin)).isGreaterThanOrEqualTo(size);
      if (bin > 0) {
        assertThat(SizeClasses.blockBytes(bin - 1)).isLessThan(size);
      }
    }
  }

  @Test
  void fineBinsAreTheSameBins() {
    for (int size = 0; size <= SizeClasses.MAX_FINE_BYTES; size++) {
      assertThat(SizeClasses.fineBin(size)).isEqualTo(SizeClasses.bin(size));
    }
  }

  @Test
  void aboveSixtyFourBytesAtMostOneEighthIsAddedToARequest() {
    for (int size = 64; size <= SizeClasses.MAX_BLOCK_BYTES; size++) {
      int waste = SizeClasses.blockBytes(SizeClasses.bin(size)) - size;
      assertThat(waste).as("size %d", size).isLessThanOrEqualTo(size / 8);
    }
  }

  @Test
  void aboveTheLargestBlockAtMostOneEighthIsAddedToo() {
    for (int size = SizeClasses.MAX_BLOCK_BYTES + 1; size <= 16 << 20; size += 37) {
      long waste = (long) Slices.count(size) * Slices.BYTES - size;
      assertThat(waste).as("size %d", size).isLessThanOrEqualTo(size / 8);
    }
  }

  @Test
  void aRecordOfTlsWastesAtMostTwoPerCent() {
    assertThat(SizeClasses.blockBytes(SizeClasses.bin(16_709))).isLessThan(16_709 * 102 / 100);
  }

  @Test
  void theWebSocketPatternWastesAtMostFivePerCent() {
    double requested = 0;
    double given = 0;
    for (double[] mode : WEB_SOCKET) {
      // Rare modes stand for their surroundings of 6 %.
      double spread = mode[1] < 8 ? 0.06 : 0;
      for (double factor = 1 - spread; factor <= 1 + spread; factor += 0.001) {
        int size = (int) Math.round(mode[0] * factor);
        double weight = spread == 0 ? mode[1] : mode[1] / 121;
        requested += weight * size;
        given += weight * SizeClasses.blockBytes(SizeClasses.bin(size));
      }
    }
    assertThat(given / requested - 1).isBetween(0.0, 0.05);
  }

  @Test
  void pagesHoldAtLeastFourBlocksAndEndWithLittleUnused() {
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      int block = SizeClasses.blockBytes(bin);
      int first = SizeClasses.firstPageSlices(bin) * Slices.BYTES;
      int page = SizeClasses.pageSlices(bin) * Slices.BYTES;
      assertThat(first / block).as("block %d", block).isBetween(4, Short.MAX_VALUE + 1);
      assertThat(page / block).as("block %d", block).isBetween(4, Short.MAX_VALUE + 1);
      assertThat(page).isGreaterThanOrEqualTo(first);
      assertThat((double) (page % block) / page).as("block %d", block).isLessThan(0.03);
      assertThat((double) (first % block) / first).as("block %d", block).isLessThan(0.065);
    }
  }

  @Test
  void pagesGrowWithTheirBin() {
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      int block = SizeClasses.blockBytes(bin);
      int page = SizeClasses.pageSlices(bin) * Slices.BYTES;
      int last = page;
      for (long binBytes = page; binBytes < 1L << 40; binBytes += binBytes / 3) {
        int grown = SizeClasses.grownPageSlices(bin, binBytes) * Slices.BYTES;
        assertThat(grown % page).isZero();
        assertThat(grown).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(1 << 20);
        assertThat(grown == page || grown <= binBytes / 16).isTrue();
        assertThat(grown / block).isLessThanOrEqualTo(2048);
        last = grown;
      }
      boolean grows = block <= 16896 && 2 * page / block <= 2048;
      assertThat(last > page).as("block %d", block).isEqualTo(grows);
    }
  }

  /** Else a heap could give a page back in the moment in which it is about to use it. */
  @Test
  void everyPageMayBeRetired() {
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      assertThat(SizeClasses.grownPageSlices(bin, Long.MAX_VALUE) * Slices.BYTES)
          .isLessThanOrEqualTo(RetiredPages.MIN_LIMIT_BYTES);
    }
  }
}
