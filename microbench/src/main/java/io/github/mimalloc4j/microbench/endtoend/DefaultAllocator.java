package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.netty.MiMalloc;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes the allocator under test Netty's default in the process of a server, because a connection's
 * {@link io.netty.channel.ChannelOption#ALLOCATOR} does not reach all that Netty does for it: for
 * example, frames of WebSocket are compressed in a channel of their own, which takes the default.
 *
 * <p>Netty has no way to do so for an allocator that is given by its class.
 */
final class DefaultAllocator {
  private static final String PROPERTY = "io.netty.allocator.type";

  private DefaultAllocator() {}

  /**
   * Returns the flags of the JVM of a server.
   *
   * @param source what makes the allocator under test
   */
  static List<String> flags(AllocatorSource source) {
    return source instanceof AllocatorKind kind
        ? List.of("-D" + PROPERTY + "=" + kind.optionName())
        : List.of();
  }

  /** Called first in the JVM of a server: before anything uses Netty. */
  static void install() {
    if (AllocatorKind.MIMALLOC.optionName().equals(System.getProperty(PROPERTY))) {
      MiMalloc.install();
    }
  }

  /**
   * Returns the allocator under test: Netty's default if this JVM was started with {@link #flags},
   * otherwise a new one.
   *
   * @throws IllegalStateException if Netty's default should be of this kind, but is not
   */
  static ByteBufAllocator of(AllocatorSource source) {
    return of(source, System.getProperty(PROPERTY));
  }

  static ByteBufAllocator of(AllocatorSource source, @Nullable String type) {
    if (!(source instanceof AllocatorKind kind) || !kind.optionName().equals(type)) {
      return source.create();
    }
    ByteBufAllocator found = ByteBufAllocator.DEFAULT;
    if (!found.getClass().getSimpleName().toUpperCase(Locale.ROOT).startsWith(kind.name())) {
      throw new IllegalStateException(
          "Netty's default allocator should be " + kind + ", but is " + found);
    }
    return found;
  }
}
