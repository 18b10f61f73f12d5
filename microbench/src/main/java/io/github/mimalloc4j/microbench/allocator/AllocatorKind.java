package io.github.mimalloc4j.microbench.allocator;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The allocators that are compared. A constant makes fresh allocators, with memory of their own; no
 * class of an allocator is loaded before one of its kind is made, so that a benchmark's fork sees
 * only the one that it measures.
 */
public enum AllocatorKind implements AllocatorSource {
  /** This project's. */
  MIMALLOC,
  /** Netty's default since 4.2. */
  ADAPTIVE,
  /** Netty's default before 4.2. */
  POOLED,
  /** Netty's allocator without any reuse. */
  UNPOOLED;

  @Override
  public ByteBufAllocator create() {
    return switch (this) {
      case MIMALLOC -> new MiMallocByteBufAllocator(true);
      case ADAPTIVE -> new AdaptiveByteBufAllocator(true);
      case POOLED -> new PooledByteBufAllocator(true);
      case UNPOOLED -> new UnpooledByteBufAllocator(true);
    };
  }

  @Override
  public @Nullable Long pinnedBytes(ByteBufAllocator allocator, BufferKind kind) {
    boolean direct = kind == BufferKind.DIRECT;
    switch (this) {
      case MIMALLOC -> {
        var metric = ((MiMallocByteBufAllocator) allocator).metric();
        return direct ? metric.pinnedDirectMemory() : metric.pinnedHeapMemory();
      }
      case POOLED -> {
        var pooled = (PooledByteBufAllocator) allocator;
        return direct ? pooled.pinnedDirectMemory() : pooled.pinnedHeapMemory();
      }
      case UNPOOLED -> {
        return usedBytes(allocator, kind); // it holds nothing else
      }
      default -> {
        return null;
      }
    }
  }

  /** The name of an allocator for readers; that of a class as it is. */
  public static String plainName(String name) {
    if (name.equals(MIMALLOC.name())) {
      return "mimalloc4j";
    }
    return name.matches("[A-Z]+")
        ? name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT)
        : name;
  }

  /** The kind's name as it is written on a command line. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
