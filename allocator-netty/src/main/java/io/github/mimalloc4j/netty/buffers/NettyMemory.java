package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;

/**
 * Direct memory as Netty gives it out. Which of two ways there is, is decided once, by the version:
 * Netty 4.2.12 and newer have it without a buffer around it, and older ones with an unpooled one.
 */
abstract class NettyMemory {

  private static final boolean IS_CLEANABLE = isCleanable();

  static {
    try {
      tellWhatIsLeftOut();
    } catch (Throwable e) { // of the log: no reason to have no memory
    }
  }

  /** Has the classes initialized while there is memory for it. */
  static void initialize() {
    if (!IS_CLEANABLE) {
      UnpooledMemory.initialize();
    }
  }

  /**
   * Obtains memory.
   *
   * @throws OutOfMemoryError beyond Netty's or the JDK's limit
   */
  static NettyMemory allocate(int bytes) {
    return IS_CLEANABLE ? CleanableMemory.allocate(bytes) : UnpooledMemory.allocate(bytes);
  }

  /** All bytes, big-endian. */
  abstract ByteBuffer buffer();

  /** Where it begins; {@link DirectMemory#NO_ADDRESS} if the platform hides it. */
  abstract long address();

  /** Frees it. Called once. */
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
    boolean freed = isFreedAtOnce();
    if (!freed || !isCounted()) {
      AllocatorLogger.get()
          .info(
              "With this version of Netty and these options of the JVM direct memory is "
                  + (freed ? "" : "freed by garbage collections only, and it is ")
                  + "not counted by -Dio.netty.maxDirectMemory; the limits of the JVM and of the"
                  + " allocator hold.");
    }
  }

  /** Whether memory is free as soon as it is asked for, not after a garbage collection. */
  private static boolean isFreedAtOnce() {
    try {
      return PlatformDependent.canReliabilyFreeDirectBuffers();
    } catch (NoSuchMethodError e) { // Netty 4.1 does what Unsafe can, and nothing without it
      return PlatformDependent.hasUnsafe();
    }
  }

  /** Whether Netty's own limit counts it. */
  private static boolean isCounted() {
    return IS_CLEANABLE || PlatformDependent.useDirectBufferNoCleaner();
  }
}
