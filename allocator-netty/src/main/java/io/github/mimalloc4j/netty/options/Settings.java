package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.netty.util.NettyRuntime;
import java.util.Map;

/** The checked options of one allocator, and the settings derived from them. */
public final class Settings {

  private static final int SHARED_HEAPS_PER_PROCESSOR = 2;

  private static final int NO_SPARE_SLICES = 0;

  /** An array has a header: see {@link SegmentSizing}. */
  private static final int ARRAY_SPARE_SLICES = 1;

  /**
   * Arrays grow twice as fast as direct segments: G1 gives an array of more than half a region
   * whole regions, so fewer arrays of such sizes waste less.
   */
  private static final int ARRAY_GROWTH_SHARE = SegmentSizing.DEFAULT.growthShare() / 2;

  private final Map<Option<?>, Object> values;

  /**
   * Copies the values. An option without a value has that of its system property.
   *
   * @throws IllegalArgumentException if a value is out of range; the message names the option
   */
  public Settings(Map<Option<?>, Object> values) {
    this.values = Map.copyOf(values);
    this.values.forEach(Option::check);
    requireOrder();
  }

  @SuppressWarnings("unchecked") // the builder puts values of the option's type
  public <T> T get(Option<T> option) {
    return (T) values.getOrDefault(option, option.value());
  }

  /** Returns whether buffers are guarded. */
  public boolean guarded() {
    return get(Options.CHECKED_RELEASE)
        || get(Options.ZERO_ON_RELEASE)
        || get(Options.DEBUG)
        || get(Options.SAMPLE_LIVE) > 0;
  }

  /** Returns the maximum number of shared thread heaps, 1 or more. */
  public int maxSharedThreadHeaps() {
    long heaps = get(Options.MAX_SHARED_THREAD_HEAPS);
    return heaps > 0
        ? (int) heaps
        : SHARED_HEAPS_PER_PROCESSOR * NettyRuntime.availableProcessors();
  }

  /**
   * Returns how much memory of one kind the allocator may hold and retain.
   *
   * @param reachableBytes the maximum bytes of that kind that the process can have
   */
  public MemoryPolicy policy(boolean direct, long reachableBytes) {
    long limit = get(direct ? Options.MAX_DIRECT_MEMORY : Options.MAX_HEAP_MEMORY);
    int growthShare = direct ? SegmentSizing.DEFAULT.growthShare() : ARRAY_GROWTH_SHARE;
    int spareSlices = direct ? NO_SPARE_SLICES : ARRAY_SPARE_SLICES;
    return new MemoryPolicy(
        new SegmentSizing(minSegmentBytes(), maxSegmentBytes(), growthShare, spareSlices),
        limit > 0 ? limit : Long.MAX_VALUE,
        reachableBytes,
        get(Options.RETAINED_TARGET),
        get(Options.TRIM_DELAY_MILLIS));
  }

  // What the program sets wins over a property, and that over a default: a larger minimum raises
  // the maximum, and a smaller maximum lowers the minimum. Of two properties, the larger wins.

  private int minSegmentBytes() {
    int min = get(Options.MIN_SEGMENT_BYTES).intValue();
    return rank(Options.MAX_SEGMENT_BYTES) > rank(Options.MIN_SEGMENT_BYTES)
        ? Math.min(min, get(Options.MAX_SEGMENT_BYTES).intValue())
        : min;
  }

  private int maxSegmentBytes() {
    int max = get(Options.MAX_SEGMENT_BYTES).intValue();
    return values.containsKey(Options.MAX_SEGMENT_BYTES) ? max : Math.max(minSegmentBytes(), max);
  }

  private int rank(Option<?> option) {
    if (values.containsKey(option)) {
      return 2;
    }
    return option.isSet() ? 1 : 0;
  }

  private void requireOrder() {
    if (maxSegmentBytes() < minSegmentBytes()) {
      throw new IllegalArgumentException(
          Options.MAX_SEGMENT_BYTES
              + ": "
              + maxSegmentBytes()
              + " (expected: at least "
              + Options.MIN_SEGMENT_BYTES
              + ", "
              + minSegmentBytes()
              + ')');
    }
  }
}
