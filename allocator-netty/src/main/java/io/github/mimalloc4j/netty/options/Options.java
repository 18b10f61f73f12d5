package io.github.mimalloc4j.netty.options;

import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;

/**
 * All options of an allocator. Each is declared here, has a method of the builder that documents
 * it, and is asked for where it matters: {@code settings.get(Options.JMX)}.
 */
public final class Options {

  /** Bytes of the first segments. */
  public static final Option<Long> MIN_SEGMENT_BYTES =
      Option.multiple("minSegmentBytes", SegmentSizing.DEFAULT.minBytes(), Slices.BYTES);

  /** Bytes that segments grow to. */
  public static final Option<Long> MAX_SEGMENT_BYTES =
      Option.multiple("maxSegmentBytes", SegmentSizing.DEFAULT.maxBytes(), Slices.BYTES);

  /** Bytes of direct memory that the allocator may hold; 0 for no limit of its own. */
  public static final Option<Long> MAX_DIRECT_MEMORY =
      Option.number("maxDirectMemory", 0, 0, Long.MAX_VALUE);

  /** Bytes on the Java heap that the allocator may hold; 0 for no limit of its own. */
  public static final Option<Long> MAX_HEAP_MEMORY =
      Option.number("maxHeapMemory", 0, 0, Long.MAX_VALUE);

  /** Bytes that are kept for reuse when nothing needs them, of either kind. */
  public static final Option<Long> RETAINED_TARGET =
      Option.number("retainedTarget", MemoryPolicy.DEFAULT.retainedBytes(), 0, Long.MAX_VALUE);

  /** Milliseconds until memory that became free is given back; 0 for never. */
  public static final Option<Long> TRIM_DELAY_MILLIS =
      Option.number(
          "trimDelayMillis", MemoryPolicy.DEFAULT.trimDelayMillis(), 0, Integer.MAX_VALUE);

  /** Whether the C library is told to give freed memory back. */
  public static final Option<Boolean> TRIM_NATIVE_HEAP = Option.flag("trimNativeHeap", true);

  /** Thread heaps for threads that have none of their own; 0 for two for each processor. */
  public static final Option<Long> MAX_SHARED_THREAD_HEAPS =
      Option.number("maxSharedThreadHeaps", 0, 0, 1 << 16);

  /** Whether every release is a compare-and-set. */
  public static final Option<Boolean> CHECKED_RELEASE = Option.flag("checkedRelease", false);

  /** Whether the bytes of released buffers are erased. */
  public static final Option<Boolean> ZERO_ON_RELEASE = Option.flag("zeroOnRelease", false);

  /** Whether writes to memory that no buffer has are looked for. */
  public static final Option<Boolean> DEBUG = Option.flag("debug", false);

  /** Whether figures can be read through JMX. */
  public static final Option<Boolean> JMX = Option.flag("jmx", false);

  private Options() {}
}
