package io.github.mimalloc4j.netty.redirection;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
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
      Trial.run();
      return ours;
    } catch (Throwable cause) { // Whatever it is, Netty must start.
      Selection.withdraw();
      warn(cause);
      return null;
    }
  }

  private static void warn(Throwable cause) {
    try {
      InternalLogger logger = InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);
      logger.warn(
          "-D{}={}: the allocator cannot be used; Netty stays as it is.",
          Selection.PROPERTY,
          Selection.MIMALLOC,
          cause);
    } catch (Throwable ofTheAppender) { // ignored, as above: Netty must start
    }
  }
}
