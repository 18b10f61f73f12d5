package io.github.mimalloc4j.microbench.allocator;

import io.github.mimalloc4j.microbench.baseline.BareByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes allocators of one class, and knows what they tell of themselves. */
public interface AllocatorSource {
  /** The name of {@link #BARE}. */
  String BARE_NAME = "BARE";

  /**
   * No allocator, and so none of the {@link AllocatorKind}s that servers may have: the floor of
   * what is possible. {@link BareByteBufAllocator} says what it does not do. A reference to the
   * constructor would load the class in every fork.
   */
  AllocatorSource BARE = () -> new BareByteBufAllocator();

  /** Makes an allocator that shares no memory with any other, where its class allows that. */
  ByteBufAllocator create();

  /** Bytes that the allocator holds, handed out or not; null if it does not tell. */
  default @Nullable Long usedBytes(ByteBufAllocator allocator, BufferKind kind) {
    if (!(allocator instanceof ByteBufAllocatorMetricProvider provider)) {
      return null;
    }
    ByteBufAllocatorMetric metric = provider.metric();
    return kind == BufferKind.DIRECT ? metric.usedDirectMemory() : metric.usedHeapMemory();
  }

  /** The same of both kinds of buffers. */
  default @Nullable Long usedBytes(ByteBufAllocator allocator) {
    return Arrays.stream(BufferKind.values())
        .map(kind -> usedBytes(allocator, kind))
        .filter(Objects::nonNull)
        .reduce(Long::sum)
        .orElse(null);
  }

  /** Bytes that live buffers occupy; null where allocators of this class do not tell. */
  default @Nullable Long pinnedBytes(ByteBufAllocator allocator, BufferKind kind) {
    return null;
  }

  /**
   * Checks that no buffer is in use, where allocators of this class tell.
   *
   * @throws IllegalStateException if one is
   */
  default void requireAllReleased(ByteBufAllocator allocator, String name) {
    for (BufferKind kind : BufferKind.values()) {
      Long pinned = pinnedBytes(allocator, kind);
      if (pinned != null && pinned != 0) {
        throw new IllegalStateException(
            name + " has " + pinned + " bytes in use, though all were released");
      }
    }
  }

  /**
   * Finds a source by what a user typed: the name of an {@link AllocatorKind}, {@code BARE}, or the
   * name of a class.
   *
   * @throws IllegalArgumentException if it is none of these; the message says why
   */
  static AllocatorSource named(String name) {
    String constant = name.toUpperCase(Locale.ROOT);
    for (AllocatorKind kind : AllocatorKind.values()) {
      if (kind.name().equals(constant)) {
        return kind;
      }
    }
    return constant.equals(BARE_NAME) ? BARE : AllocatorClass.named(name);
  }
}
