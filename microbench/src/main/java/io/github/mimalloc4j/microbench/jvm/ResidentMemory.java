package io.github.mimalloc4j.microbench.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The memory that this process has in the machine's own. */
public final class ResidentMemory {
  private ResidentMemory() {}

  /** The number of bytes; empty where the system does not tell. */
  public static OptionalLong bytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("VmRSS:|kB|\\s", "")) * 1024)
          .findFirst();
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return OptionalLong.empty(); // no such file, or one with other contents
    }
  }

  /**
   * The same without this JVM's Java heap, all of which must be resident from the start: then none
   * of it is an allocator's doing. Null where the system does not tell.
   */
  public static @Nullable Long besideJavaHeap() {
    OptionalLong all = bytes();
    return all.isPresent() ? all.getAsLong() - Runtime.getRuntime().totalMemory() : null;
  }
}
