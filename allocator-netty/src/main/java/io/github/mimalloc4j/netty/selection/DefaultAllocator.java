package io.github.mimalloc4j.netty.selection;

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
 * What Netty's {@code ByteBufUtil} asks instead of {@code SystemPropertyUtil} and {@code
 * PooledByteBufAllocator.DEFAULT}. Not for applications.
 *
 * <p>Initialised from within the static initialiser of {@code ByteBufUtil}: must not fail, or Netty
 * is dead, and must not ask for Netty's default allocator, which is null at that time.
 *
 * <p>Whether this library was chosen was decided when Netty's class was changed. The property may
 * be gone since: a copy of Netty in another class loader that cannot be served has withdrawn it.
 */
public final class DefaultAllocator {

  private static final @Nullable ByteBufAllocator OURS = Selection.isOther() ? null : ours();

  /** Our allocator if it works; else what Netty takes for a type that it does not know. */
  public static final ByteBufAllocator ALLOCATOR =
      OURS == null ? PooledByteBufAllocator.DEFAULT : OURS;

  private DefaultAllocator() {}

  /**
   * The value of a system property, as Netty reads it. The one that selects the allocator names
   * ours if it works, whatever its value. If it does not, Netty takes its default.
   *
   * @param key the property's name
   * @param defaultValue Netty's default
   * @return what Netty shall take the value for
   */
  public static @Nullable String property(String key, @Nullable String defaultValue) {
    return OURS != null && key.equals(Selection.PROPERTY)
        ? Selection.MIMALLOC
        : SystemPropertyUtil.get(key, defaultValue);
  }

  private static @Nullable ByteBufAllocator ours() {
    try {
      // The one class that a Netty far too old lacks would otherwise be missed by the first buffer.
      Objects.requireNonNull(ThreadExecutorMap.class);
      // Null while its own initialiser runs, further up on this thread's stack.
      return Objects.requireNonNull(MiMallocByteBufAllocator.DEFAULT, "it is being initialised");
    } catch (Throwable cause) { // Whatever it is: Netty must come up.
      Selection.withdraw();
      InternalLogger logger = InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);
      logger.warn(
          "-D{}={}: the allocator cannot be used; Netty stays as it is.",
          Selection.PROPERTY,
          Selection.MIMALLOC,
          cause);
      return null;
    }
  }
}
