package io.github.mimalloc4j.core.memory;

/**
 * How much memory an allocator takes, and how much of it the allocator retains.
 *
 * @param sizing how large segments are
 * @param maxBytes the maximum bytes obtained from the source and not given back, at any time; 1 or
 *     more
 * @param reachableBytes the maximum bytes of one request, 1 or more; a larger one fails whatever is
 *     given back
 * @param retainedBytes the bytes of free segments that are kept for reuse when upkeep gives memory
 *     back, 0 or more
 * @param trimDelayMillis about how long after memory became free upkeep gives it back, 0 or more:
 *     0.5 to 2 times as long; 0 if it never does
 */
public record MemoryPolicy(
    SegmentSizing sizing,
    long maxBytes,
    long reachableBytes,
    long retainedBytes,
    long trimDelayMillis) {

  /** No limit, 512 KiB kept, a delay of one second. */
  public static final MemoryPolicy DEFAULT =
      new MemoryPolicy(SegmentSizing.DEFAULT, Long.MAX_VALUE, 512 << 10, 1000);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a component is out of its range; the message names it
   */
  public MemoryPolicy {
    require(maxBytes > 0, "maxBytes", maxBytes, "1 or more");
    require(reachableBytes > 0, "reachableBytes", reachableBytes, "1 or more");
    require(retainedBytes >= 0, "retainedBytes", retainedBytes, "0 or more");
    require(trimDelayMillis >= 0, "trimDelayMillis", trimDelayMillis, "0 or more");
  }

  /**
   * Leaves single requests to the limit of all.
   *
   * @throws IllegalArgumentException if a component is out of its range; the message names it
   */
  public MemoryPolicy(
      SegmentSizing sizing, long maxBytes, long retainedBytes, long trimDelayMillis) {
    this(sizing, maxBytes, maxBytes, retainedBytes, trimDelayMillis);
  }

  private static void require(boolean condition, String name, long value, String expected) {
    if (!condition) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ')');
    }
  }
}
