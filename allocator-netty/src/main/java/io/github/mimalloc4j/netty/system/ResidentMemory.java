package io.github.mimalloc4j.netty.system;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The memory that the process has in the machine's own. Thread-safe. */
public final class ResidentMemory {

  /** What is returned where the system does not tell. */
  public static final long UNKNOWN = -1;

  /** In kilobytes, whatever the size of a page is, which {@code statm} counts in. */
  private static final String FILE = "/proc/self/status";

  private static final String LINE = "VmRSS:";

  /** The file is a third as long. */
  private static final int MAX_FILE_BYTES = 1 << 12;

  private static final boolean KNOWN = bytes() != UNKNOWN;

  private ResidentMemory() {}

  /** Whether the system tells. */
  public static boolean isKnown() {
    return KNOWN;
  }

  /** The number of bytes now, or {@link #UNKNOWN}. */
  public static long bytes() {
    try (InputStream file = new FileInputStream(FILE)) {
      byte[] content = file.readNBytes(MAX_FILE_BYTES);
      return parse(new String(content, StandardCharsets.US_ASCII));
    } catch (IOException | RuntimeException e) { // among them that of a security manager
      return UNKNOWN;
    }
  }

  /** Finds the number in the file's text. */
  static long parse(String status) {
    int line = status.indexOf(LINE);
    int unit = status.indexOf("kB", line);
    if (line < 0 || unit < 0) {
      return UNKNOWN;
    }
    return Long.parseLong(status.substring(line + LINE.length(), unit).trim()) << 10;
  }
}
