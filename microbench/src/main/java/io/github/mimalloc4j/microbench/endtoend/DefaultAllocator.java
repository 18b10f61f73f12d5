package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.netty.MiMalloc;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Locale;

/**
 * Makes the allocator under test Netty's default in the process of a server, because a connection's
 * {@link io.netty.channel.ChannelOption#ALLOCATOR} does not reach all that Netty does for it: for
 * example, frames of WebSocket are compressed and decompressed in channels of their own, which take
 * the default.
 *
 * <p>Netty has no way to do so for an allocator that is given by its class, or for {@link
 * AllocatorSource#BARE}.
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
   * Returns the allocator under test in a JVM with these {@link #flags}: Netty's default, or a new
   * one if there is no way to make it the default.
   *
   * @throws IllegalStateException if Netty's default should be of this kind, but is not
   */
  static ByteBufAllocator of(AllocatorSource source) {
    if (!(source instanceof AllocatorKind kind)) {
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
