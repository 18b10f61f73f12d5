package io.github.mimalloc4j.microbench.http;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.netty.buffer.ByteBufAllocator;
import java.util.OptionalLong;

/** What {@code GET /stats} tells; what nobody knows is null. */
final class ServerStats {
  private final AllocatorKind kind;
  private final ByteBufAllocator allocator;

  ServerStats(AllocatorKind kind, ByteBufAllocator allocator) {
    this.kind = kind;
    this.allocator = allocator;
  }

  /** A JSON object in ASCII; all sizes in bytes. */
  String toJson() {
    return "{\"allocator\":\""
        + kind.optionName()
        + "\",\"direct\":"
        + memory(BufferKind.DIRECT)
        + ",\"heap\":"
        + memory(BufferKind.HEAP)
        + ",\"rss\":"
        + number(ResidentMemory.bytes())
        + ",\"statistics\":"
        + kind.statistics(allocator).orElse("null")
        + "}";
  }

  private String memory(BufferKind buffers) {
    return "{\"used\":"
        + kind.usedBytes(allocator, buffers)
        + ",\"pinned\":"
        + number(kind.pinnedBytes(allocator, buffers))
        + "}";
  }

  private static String number(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "null";
  }
}
