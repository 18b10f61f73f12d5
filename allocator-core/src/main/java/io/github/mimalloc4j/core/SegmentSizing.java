package io.github.mimalloc4j.core;

/**
 * How large segments are. The memory source zeroes what it hands out, and so makes it resident:
 * segments start small and grow with what is in use already.
 *
 * @param minBytes the size of the first segments, a multiple of {@link SizeClasses#SLICE_BYTES}
 * @param maxBytes the size that segments grow to, a multiple of {@link SizeClasses#SLICE_BYTES} and
 *     at least {@code minBytes}; a request above it gets a dedicated segment
 * @param growthShare a new segment is at most one part in {@code growthShare} of the bytes in use
 */
public record SegmentSizing(int minBytes, int maxBytes, int growthShare) {

  /** 512 KiB growing to 8 MiB, by one eighth of the bytes in use. */
  public static final SegmentSizing DEFAULT = new SegmentSizing(512 << 10, 8 << 20, 8);

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if a figure is out of its range; the message names it
   */
  public SegmentSizing {
    requireSlices("minBytes", minBytes);
    requireSlices("maxBytes", maxBytes);
    if (maxBytes < minBytes) {
      throw new IllegalArgumentException(
          "maxBytes: " + maxBytes + " (expected: at least minBytes, " + minBytes + ')');
    }
    if (growthShare < 1) {
      throw new IllegalArgumentException("growthShare: " + growthShare + " (expected: 1 or more)");
    }
  }

  /**
   * The slices of a new segment.
   *
   * @param requestedSlices what has to fit, at most {@code maxBytes}
   * @param usedBytes the bytes that the pool uses already
   */
  int segmentSlices(int requestedSlices, long usedBytes) {
    long grown = Math.min(maxBytes, Math.max(minBytes, usedBytes / growthShare));
    int slices = (int) (grown / SizeClasses.SLICE_BYTES);
    // Few large runs in a segment: it is made a multiple of them, so that no end remains.
    return requestedSlices > slices / 8
        ? requestedSlices * Math.max(1, slices / requestedSlices)
        : slices;
  }

  private static void requireSlices(String name, int bytes) {
    if (bytes <= 0 || bytes % SizeClasses.SLICE_BYTES != 0) {
      throw new IllegalArgumentException(
          name + ": " + bytes + " (expected: a multiple of " + SizeClasses.SLICE_BYTES + ')');
    }
  }
}
