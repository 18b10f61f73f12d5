package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.SystemPropertyUtil;
import io.netty.util.internal.logging.InternalLogger;

/**
 * The system properties {@code io.netty.allocator.mimalloc.*}, the defaults of the {@linkplain
 * MiMallocByteBufAllocator.Builder builder}. Each is read once, and logged at debug level with its
 * effective value; a value that is none, or out of range, is a warning, and the default is used.
 */
public final class Options {

  public static final String PREFIX = "io.netty.allocator.mimalloc.";

  private static final InternalLogger logger = AllocatorLogger.get();

  /** Bytes of the first segments. */
  public static final int MIN_SEGMENT_BYTES =
      slices("minSegmentBytes", SegmentSizing.DEFAULT.minBytes());

  /** Bytes that segments grow to. */
  public static final int MAX_SEGMENT_BYTES =
      slices("maxSegmentBytes", SegmentSizing.DEFAULT.maxBytes());

  /** Bytes of direct memory that the allocator may hold; 0 for no limit of its own. */
  public static final long MAX_DIRECT_MEMORY = number("maxDirectMemory", 0, 0, Long.MAX_VALUE);

  /** Bytes on the Java heap that the allocator may hold; 0 for no limit of its own. */
  public static final long MAX_HEAP_MEMORY = number("maxHeapMemory", 0, 0, Long.MAX_VALUE);

  /** Bytes that are kept for reuse when nothing needs them, of either kind. */
  public static final long RETAINED_TARGET =
      number("retainedTarget", MemoryPolicy.DEFAULT.retainedBytes(), 0, Long.MAX_VALUE);

  /** Milliseconds until memory that became free is given back; 0 for never. */
  public static final long TRIM_DELAY_MILLIS =
      number("trimDelayMillis", MemoryPolicy.DEFAULT.trimDelayMillis(), 0, Integer.MAX_VALUE);

  /** Thread heaps for threads that have none of their own; 0 for two for each processor. */
  public static final int MAX_SHARED_THREAD_HEAPS =
      (int) number("maxSharedThreadHeaps", 0, 0, 1 << 16);

  /** Whether every release is a compare-and-set. */
  public static final boolean CHECKED_RELEASE = flag("checkedRelease");

  /** Whether the bytes of released buffers are erased. */
  public static final boolean ZERO_ON_RELEASE = flag("zeroOnRelease");

  /** Whether writes to memory that no buffer has are looked for. */
  public static final boolean DEBUG = flag("debug");

  /** Whether figures can be read through JMX. */
  public static final boolean JMX = flag("jmx");

  private Options() {}

  /** Reads a number of bytes that is a positive multiple of a slice. */
  private static int slices(String name, int defaultValue) {
    int slice = Slices.BYTES;
    String expected = "a positive multiple of " + slice;
    return (int) number(name, defaultValue, slice, Integer.MAX_VALUE - slice + 1, slice, expected);
  }

  private static long number(String name, long defaultValue, long min, long max) {
    return number(name, defaultValue, min, max, 1, "a number from " + min + " to " + max);
  }

  private static long number(
      String name, long defaultValue, long min, long max, long step, String expected) {
    String text = SystemPropertyUtil.get(PREFIX + name);
    long value = defaultValue;
    if (text != null) {
      try {
        value = Long.parseLong(text.trim());
      } catch (NumberFormatException e) {
        value = min - 1;
      }
      if (value < min || value > max || value % step != 0) {
        logger.warn(
            "-D{}{}={} is not {}; using the default, {}",
            PREFIX,
            name,
            text,
            expected,
            defaultValue);
        value = defaultValue;
      }
    }
    logger.debug("-D{}{}: {}", PREFIX, name, value);
    return value;
  }

  private static boolean flag(String name) {
    String text = SystemPropertyUtil.get(PREFIX + name);
    boolean value = text != null && text.trim().equalsIgnoreCase("true");
    if (text != null && !value && !text.trim().equalsIgnoreCase("false")) {
      logger.warn(
          "-D{}{}={} is neither true nor false; using the default, false", PREFIX, name, text);
    }
    logger.debug("-D{}{}: {}", PREFIX, name, value);
    return value;
  }
}
