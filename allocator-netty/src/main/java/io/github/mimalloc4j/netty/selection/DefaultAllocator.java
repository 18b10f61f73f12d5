package io.github.mimalloc4j.netty.selection;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.SystemPropertyUtil;
import io.netty.util.internal.ThreadExecutorMap;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's {@code ByteBufUtil} uses in place of {@code SystemPropertyUtil} and {@code
 * PooledByteBufAllocator.DEFAULT}. Not for applications.
 *
 * <p>This class is initialised from the static initialiser of {@code ByteBufUtil}. It must not
 * fail, since Netty would then be unusable, and must not read Netty's default allocator, which is
 * null at that time.
 *
 * <p>Whether this library is selected was decided when Netty's class was changed. The property may
 * have been cleared since then, for a copy of Netty in another class loader that cannot use this
 * library.
 */
public final class DefaultAllocator {

  /** The size of the segments that are only tried out. */
  private static final int SEGMENT_BYTES = 1 << 18;

  private static final @Nullable ByteBufAllocator OURS = Selection.isOther() ? null : ours();

  /**
   * This library's allocator if it works; otherwise Netty's choice for a type that it does not
   * know.
   */
  public static final ByteBufAllocator ALLOCATOR =
      OURS == null ? PooledByteBufAllocator.DEFAULT : OURS;

  private DefaultAllocator() {}

  /**
   * Reads a system property as Netty does. If this library's allocator works, the property that
   * selects the allocator always names it. Otherwise Netty takes its own default.
   *
   * @param key the property's name
   * @param defaultValue Netty's default
   * @return the value that Netty is to use
   */
  public static @Nullable String property(String key, @Nullable String defaultValue) {
    return OURS != null && key.equals(Selection.PROPERTY)
        ? Selection.MIMALLOC
        : SystemPropertyUtil.get(key, defaultValue);
  }

  private static @Nullable ByteBufAllocator ours() {
    try {
      // Fails early if Netty is far too old: otherwise only the first buffer needs this class.
      Objects.requireNonNull(ThreadExecutorMap.class);
      // Null while its own initialiser runs, further up on this thread's stack.
      ByteBufAllocator ours =
          Objects.requireNonNull(MiMallocByteBufAllocator.DEFAULT, "it is being initialised");
      tryOut();
      return ours;
    } catch (Throwable cause) { // Whatever it is, Netty must start.
      Selection.withdraw();
      warn(cause);
      return null;
    }
  }

  /**
   * Uses buffers of another allocator, which leaves nothing behind. Fails if a newer Netty lacks a
   * method that this library calls: otherwise only the first buffers of the application would.
   */
  private static void tryOut() {
    try (MiMallocByteBufAllocator other =
        MiMallocByteBufAllocator.builder()
            .minSegmentBytes(SEGMENT_BYTES) // whatever the options say
            .maxSegmentBytes(SEGMENT_BYTES)
            .maxDirectMemory(0)
            .maxHeapMemory(0)
            .trimDelayMillis(0)
            .trimNativeHeap(false)
            .sampleLive(0)
            .jmx(false)
            .build()) {
      ByteBuf heap = other.heapBuffer(Long.BYTES);
      ByteBuf direct = other.directBuffer(Long.BYTES);
      heap.writeLong(1).setZero(0, Long.BYTES);
      direct.writeBytes(heap).setZero(0, Long.BYTES);
      heap.setBytes(0, direct, 0, Long.BYTES);
      direct.capacity(1 << 10).writeBytes(new byte[Long.BYTES]).writeByte(1).writeLong(1).readInt();
      direct.internalNioBuffer(0, Long.BYTES);
      direct.release();
      heap.release();
    } catch (OutOfMemoryError e) { // says nothing about Netty
    }
  }

  private static void warn(Throwable cause) {
    InternalLogger logger = InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);
    try {
      logger.warn(
          "-D{}={}: the allocator cannot be used; Netty stays as it is.",
          Selection.PROPERTY,
          Selection.MIMALLOC,
          cause);
    } catch (RuntimeException ofTheAppender) { // ignored, as above: Netty must start
    }
  }
}
