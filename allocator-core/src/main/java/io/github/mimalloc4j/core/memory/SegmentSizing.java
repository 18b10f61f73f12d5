package io.github.mimalloc4j.core.memory;

/**
 * How large segments are. The memory source zeroes what it hands out, and so makes it resident.
 * Therefore segments start small and grow with the bytes in use.
 *
 * @param minBytes the size of the first segments, a positive multiple of {@link Slices#BYTES}
 * @param maxBytes the size that segments grow to, a multiple of {@link Slices#BYTES} and at least
 *     {@code minBytes}; a request above it gets a dedicated segment
 * @param growthShare a new segment is at most one part in {@code growthShare} of the bytes in use;
 *     1 or more
 * @param spareSlices the number of slices by which a segment is smaller than that, 0 or more; a
 *     segment has at least one slice. For sources that add a header, as the Java heap does to an
 *     array: otherwise, an array whose size is a power of two would take one G1 region more than it
 *     fills
 */
public record SegmentSizing(int minBytes, int maxBytes, int growthShare, int spareSlices) {

  /** 256 KiB growing to 8 MiB, by one sixteenth of the bytes in use. */
  public static final SegmentSizing DEFAULT = new SegmentSizing(256 << 10, 8 << 20, 16);

  /**
   * Segments for large runs grow beyond this size only if very many bytes are in use: the fewer
   * runs share a segment, the sooner it is free. With the sizes of a message broker and nine of ten
   * blocks released at random, segments of 8 MiB kept nine times what was live; segments of this
   * size kept three times.
   */
  private static final int SMALL_LARGE_RUN_SEGMENT_BYTES = 1 << 20;

  /** From 4 GiB in use they grow, so that there are never too many for the system. */
  private static final int LARGE_RUN_GROWTH_SHARE = 4096;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a component is out of its range; the message names it
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
    if (spareSlices < 0) {
      throw new IllegalArgumentException("spareSlices: " + spareSlices + " (expected: 0 or more)");
    }
  }

  /** Segments without spare slices; see the components for the ranges. */
  public SegmentSizing(int minBytes, int maxBytes, int growthShare) {
    this(minBytes, maxBytes, growthShare, 0);
  }

  /** Returns the maximum bytes of the next segment for large runs. */
  private int mostLargeRunBytes(long usedBytes) {
    long grown = Math.max(SMALL_LARGE_RUN_SEGMENT_BYTES, usedBytes / LARGE_RUN_GROWTH_SHARE);
    return (int) Math.max(minBytes, Math.min(maxBytes, grown));
  }

  /**
   * Returns the number of slices of a new segment.
   *
   * @param requestedSlices what has to fit
   * @param forLargeRuns whether large runs are claimed in the segment, rather than pages
   * @param usedBytes the bytes that the pool uses already
   */
  int segmentSlices(int requestedSlices, boolean forLargeRuns, long usedBytes) {
    int most = forLargeRuns ? mostLargeRunBytes(usedBytes) : maxBytes;
    long grown = Math.min(most, Math.max(minBytes, usedBytes / growthShare));
    int slices = Math.max(1, (int) (grown / Slices.BYTES) - spareSlices);
    // Few large runs in a segment: its size is a multiple of theirs, so that no end remains.
    return requestedSlices > slices / 8
        ? requestedSlices * Math.max(1, slices / requestedSlices)
        : slices;
  }

  private static void requireSlices(String name, int bytes) {
    if (bytes <= 0 || bytes % Slices.BYTES != 0) {
      throw new IllegalArgumentException(
          name + ": " + bytes + " (expected: a multiple of " + Slices.BYTES + ')');
    }
  }
}
