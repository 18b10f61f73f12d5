package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.SystemPropertyUtil;
import io.netty.util.internal.logging.InternalLogLevel;
import java.nio.ByteBuffer;

/**
 * Direct memory obtained from Netty. How it is obtained depends on the Netty version, and is
 * determined once: Netty 4.2.12 and newer provide memory without a buffer around it, older versions
 * only an unpooled buffer.
 */
abstract class NettyMemory {

  private static final String NETTYS_LIMIT = "io.netty.maxDirectMemory";
  private static final boolean IS_CLEANABLE = isCleanable();

  /** Whether memory is freed at once rather than by a garbage collection. */
  static final boolean IS_FREED_AT_ONCE = isFreedAtOnce();

  /** The JDK's limit if it applies, else none. */
  private static final long JDKS_LIMIT =
      isOfTheJdk() ? PlatformDependent.estimateMaxDirectMemory() : Long.MAX_VALUE;

  static {
    try {
      tellWhatIsLeftOut();
    } catch (Throwable e) { // thrown by the log: no reason to fail
    }
  }

  /** Initializes classes while there is memory for it. */
  static void initialize() {
    if (!IS_CLEANABLE) {
      UnpooledMemory.initialize();
    }
  }

  /**
   * Returns the maximum bytes that all direct memory of Netty can have, as far as that is known.
   */
  static long reachableBytes() {
    boolean limited = isCounted() && PlatformDependent.usedDirectMemory() >= 0;
    return limited ? Math.min(PlatformDependent.maxDirectMemory(), JDKS_LIMIT) : JDKS_LIMIT;
  }

  /**
   * Allocates memory.
   *
   * @throws OutOfMemoryError beyond Netty's or the JDK's limit
   */
  static NettyMemory allocate(int bytes) {
    if (bytes > JDKS_LIMIT) { // the JDK would collect garbage and wait before it says so
      throw new OutOfMemoryError(
          "Direct memory can have at most " + JDKS_LIMIT + " bytes: no room for " + bytes);
    }
    return IS_CLEANABLE ? CleanableMemory.allocate(bytes) : UnpooledMemory.allocate(bytes);
  }

  /** Returns all bytes as a big-endian buffer. */
  abstract ByteBuffer buffer();

  /** Returns the address of the first byte, or {@link Memory#NO_ADDRESS} if it is hidden. */
  abstract long address();

  /** Frees the memory. Called once. */
  abstract void free();

  private static boolean isCleanable() {
    try {
      PlatformDependent.class.getMethod("allocateDirect", int.class, boolean.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static void tellWhatIsLeftOut() {
    if (!IS_FREED_AT_ONCE || !isCounted()) {
      boolean relevant = !IS_FREED_AT_ONCE || SystemPropertyUtil.contains(NETTYS_LIMIT);
      AllocatorLogger.get()
          .log(
              relevant ? InternalLogLevel.INFO : InternalLogLevel.DEBUG,
              "With this version of Netty and these options of the JVM direct memory is "
                  + (IS_FREED_AT_ONCE ? "" : "freed by garbage collections only, and it is ")
                  + "not counted by -D"
                  + NETTYS_LIMIT
                  + "; -Dio.netty.allocator.mimalloc.maxDirectMemory limits what an allocator holds"
                  + (IS_FREED_AT_ONCE ? "." : ", but not what awaits a collection."));
    }
  }

  private static boolean isFreedAtOnce() {
    try {
      return PlatformDependent.canReliabilyFreeDirectBuffers();
    } catch (NoSuchMethodError e) { // Netty 4.1 frees by Unsafe only
      return PlatformDependent.hasUnsafe();
    }
  }

  /** Returns whether Netty asks the JDK for the memory, rather than the C library. */
  private static boolean isOfTheJdk() {
    boolean cLibrary = IS_CLEANABLE && IS_FREED_AT_ONCE && !PlatformDependent.hasUnsafe();
    return !cLibrary && !PlatformDependent.useDirectBufferNoCleaner();
  }

  /** Returns whether the memory counts towards Netty's own limit. */
  private static boolean isCounted() {
    return IS_CLEANABLE ? IS_FREED_AT_ONCE : PlatformDependent.useDirectBufferNoCleaner();
  }
}
