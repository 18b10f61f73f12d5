package io.github.mimalloc4j.microbench;

import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What {@code GET /stats} tells; a number that nobody knows is null. */
final class ServerStats {
  private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

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
        + number(residentBytes())
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

  /** The process's resident memory, where the system tells. */
  private static OptionalLong residentBytes() {
    if (!Files.isReadable(PROCESS_STATUS)) {
      return OptionalLong.empty();
    }
    try {
      for (String line : Files.readAllLines(PROCESS_STATUS)) {
        if (line.startsWith(RESIDENT)) {
          String kibibytes = line.substring(RESIDENT.length()).replace("kB", "").strip();
          return OptionalLong.of(Long.parseLong(kibibytes) * 1024);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // A system with a file of this name and other contents: the figure is not known.
    }
    return OptionalLong.empty();
  }
}
