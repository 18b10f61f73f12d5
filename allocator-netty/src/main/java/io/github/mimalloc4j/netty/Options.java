package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.SegmentSizing;
import io.github.mimalloc4j.core.SizeClasses;
import io.netty.util.internal.SystemPropertyUtil;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/**
 * The system properties {@code io.netty.allocator.mimalloc.*}, the defaults of the {@linkplain
 * MiMallocByteBufAllocator.Builder builder}. Each is read once, and logged at debug level with its
 * effective value; a value that is none, or out of range, is a warning, and the default is used.
 */
final class Options {

  static final String PREFIX = "io.netty.allocator.mimalloc.";

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);

  /** Bytes of the first segments. */
  static final int MIN_SEGMENT_BYTES = slices("minSegmentBytes", SegmentSizing.DEFAULT.minBytes());

  /** Bytes that segments grow to. */
  static final int MAX_SEGMENT_BYTES = slices("maxSegmentBytes", SegmentSizing.DEFAULT.maxBytes());

  private Options() {}

  /** Reads a number of bytes that is a positive multiple of a slice. */
  private static int slices(String name, int defaultValue) {
    String text = SystemPropertyUtil.get(PREFIX + name);
    int value = defaultValue;
    if (text != null) {
      int slice = SizeClasses.SLICE_BYTES;
      try {
        value = Integer.parseInt(text.trim());
        if (value <= 0 || value % slice != 0) {
          throw new NumberFormatException("not a positive multiple of " + slice);
        }
      } catch (NumberFormatException e) {
        logger.warn(
            "-D{}{}={} is no multiple of {} bytes; using the default, {}",
            PREFIX,
            name,
            text,
            slice,
            defaultValue);
        value = defaultValue;
      }
    }
    logger.debug("-D{}{}: {}", PREFIX, name, value);
    return value;
  }
}
