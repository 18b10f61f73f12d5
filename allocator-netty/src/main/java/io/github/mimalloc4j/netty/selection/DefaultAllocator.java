package io.github.mimalloc4j.netty.selection;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/**
 * What Netty's {@code ByteBufUtil} finds where it looked for {@code PooledByteBufAllocator.DEFAULT}
 * before. Not for applications.
 *
 * <p>Initialised from within the static initialiser of {@code ByteBufUtil}: must not fail, or Netty
 * is dead, and must not ask for Netty's default allocator, which is null at that time.
 */
public final class DefaultAllocator {

  /** Our allocator if it was chosen and works; else what Netty would have taken. */
  public static final ByteBufAllocator ALLOCATOR = choose();

  private DefaultAllocator() {}

  private static ByteBufAllocator choose() {
    if (!Selection.isMiMalloc()) {
      return PooledByteBufAllocator.DEFAULT;
    }
    try {
      // The one method that an older Netty lacks would otherwise be missed by the first buffer.
      PlatformDependent.class.getMethod("allocateDirect", int.class, boolean.class);
      return MiMallocByteBufAllocator.DEFAULT;
    } catch (Throwable cause) { // Whatever it is: Netty must come up.
      InternalLogger logger = InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);
      logger.warn(
          "-D{}={}: the allocator cannot be used; Netty uses PooledByteBufAllocator instead.",
          Selection.PROPERTY,
          Selection.MIMALLOC,
          cause);
      return PooledByteBufAllocator.DEFAULT;
    }
  }
}
