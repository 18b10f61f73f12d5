package io.github.mimalloc4j.microbench.allocator;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The allocators that are compared. A constant makes fresh allocators, with memory of their own; no
 * class of an allocator is loaded before one of its kind is made, so that a benchmark's fork sees
 * only the one that it measures.
 */
public enum AllocatorKind implements AllocatorSource {
  /** This project's. */
  MIMALLOC {
    @Override
    public ByteBufAllocator create() {
      return new MiMallocByteBufAllocator(true);
    }

    @Override
    public OptionalLong pinnedBytes(ByteBufAllocator allocator, BufferKind kind) {
      MiMallocByteBufAllocator ours = (MiMallocByteBufAllocator) allocator;
      return OptionalLong.of(
          kind == BufferKind.DIRECT
              ? ours.metric().pinnedDirectMemory()
              : ours.metric().pinnedHeapMemory());
    }

    @Override
    public Optional<String> statistics(ByteBufAllocator allocator) {
      return Optional.of(((MiMallocByteBufAllocator) allocator).dumpStatsAsJson());
    }
  },

  /** Netty's default since 4.2. */
  ADAPTIVE {
    @Override
    public ByteBufAllocator create() {
      return new AdaptiveByteBufAllocator(true);
    }
  },

  /** Netty's default before 4.2. */
  POOLED {
    @Override
    public ByteBufAllocator create() {
      return new PooledByteBufAllocator(true);
    }

    @Override
    public OptionalLong pinnedBytes(ByteBufAllocator allocator, BufferKind kind) {
      PooledByteBufAllocator pooled = (PooledByteBufAllocator) allocator;
      return OptionalLong.of(
          kind == BufferKind.DIRECT ? pooled.pinnedDirectMemory() : pooled.pinnedHeapMemory());
    }
  },

  /** Netty's allocator without any reuse. */
  UNPOOLED {
    @Override
    public ByteBufAllocator create() {
      return new UnpooledByteBufAllocator(true);
    }

    @Override
    public OptionalLong pinnedBytes(ByteBufAllocator allocator, BufferKind kind) {
      return OptionalLong.of(usedBytes(allocator, kind)); // it holds nothing else
    }
  };

  /** All that an allocator tells of itself, as JSON; empty if there is nothing of the kind. */
  public Optional<String> statistics(ByteBufAllocator allocator) {
    return Optional.empty();
  }

  /** The kind's name as it is written on a command line. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
