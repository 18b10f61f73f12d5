package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogLevel;

/**
 * All options of an allocator. Each is declared here and documented at the builder method of the
 * same name. Code reads an option where it applies: {@code settings.get(Options.JMX)}.
 */
public final class Options {

  /** The size of the first segments, in bytes. */
  public static final Option<Long> MIN_SEGMENT_BYTES =
      Option.multiple("minSegmentBytes", SegmentSizing.DEFAULT.minBytes(), Slices.BYTES);

  /** The size up to which segments grow, in bytes. */
  public static final Option<Long> MAX_SEGMENT_BYTES =
      Option.multiple("maxSegmentBytes", SegmentSizing.DEFAULT.maxBytes(), Slices.BYTES);

  /** The limit of direct memory, in bytes; 0 for none. */
  public static final Option<Long> MAX_DIRECT_MEMORY =
      Option.number("maxDirectMemory", 0, 0, Long.MAX_VALUE);

  /** The limit of memory on the Java heap, in bytes; 0 for none. */
  public static final Option<Long> MAX_HEAP_MEMORY =
      Option.number("maxHeapMemory", 0, 0, Long.MAX_VALUE);

  /** The unused memory kept for reuse, in bytes, for each kind of memory. */
  public static final Option<Long> RETAINED_TARGET =
      Option.number("retainedTarget", MemoryPolicy.DEFAULT.retainedBytes(), 0, Long.MAX_VALUE);

  /**
   * Milliseconds, half to twice of which unused memory stays; 0 if it is not given back by itself.
   */
  public static final Option<Long> TRIM_DELAY_MILLIS =
      Option.number(
          "trimDelayMillis", MemoryPolicy.DEFAULT.trimDelayMillis(), 0, Integer.MAX_VALUE);

  /** Whether the C library is told to give freed memory back. */
  public static final Option<Boolean> TRIM_NATIVE_HEAP = Option.flag("trimNativeHeap", true);

  /** The maximum number of shared thread heaps; 0 for two per processor. */
  public static final Option<Long> MAX_SHARED_THREAD_HEAPS =
      Option.number("maxSharedThreadHeaps", 0, 0, 1 << 16);

  /** Whether every release is a compare-and-set. */
  public static final Option<Boolean> CHECKED_RELEASE = Option.flag("checkedRelease", false);

  /** Whether the bytes of released buffers are erased. */
  public static final Option<Boolean> ZERO_ON_RELEASE = Option.flag("zeroOnRelease", false);

  /** Whether invalid writes are detected. */
  public static final Option<Boolean> DEBUG = Option.flag("debug", false);

  /** The mean number of allocated bytes from one sampled buffer to the next; 0 for none. */
  public static final Option<Long> SAMPLE_LIVE = Option.number("sampleLive", 0, 0, Long.MAX_VALUE);

  /** Whether figures are available through JMX. */
  public static final Option<Boolean> JMX = Option.flag("jmx", false);

  static {
    warnOfUnknown();
  }

  private Options() {}

  /**
   * Warns about properties that begin like an option but name none. Otherwise a misspelt option
   * would go unnoticed.
   */
  private static void warnOfUnknown() {
    try {
      for (String property : System.getProperties().stringPropertyNames()) {
        if (property.startsWith(Option.PREFIX) && !Option.isKnown(property)) {
          AllocatorLogger.log(
              InternalLogLevel.WARN, "-D{} is not an option and has no effect.", property);
        }
      }
    } catch (SecurityException e) { // not permitted
    }
  }
}
