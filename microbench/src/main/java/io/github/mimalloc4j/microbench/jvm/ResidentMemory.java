package io.github.mimalloc4j.microbench.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** The memory that this process has in the machine's own. */
public final class ResidentMemory {
  private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private ResidentMemory() {}

  /** The number of bytes; empty where the system does not tell. */
  public static OptionalLong bytes() {
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
