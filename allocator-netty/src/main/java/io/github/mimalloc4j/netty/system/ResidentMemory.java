package io.github.mimalloc4j.netty.system;

import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The resident memory of this process. Thread-safe. */
public final class ResidentMemory {

  /** Reports kilobytes; {@code statm} counts in pages, whose size varies. */
  private static final String FILE = "/proc/self/status";

  private static final String LINE = "VmRSS:";

  /** More than the length of the file, whose largest part are the user's groups, up to 65,536. */
  private static final int MAX_FILE_BYTES = 1 << 20;

  private ResidentMemory() {}

  /** Returns the bytes now resident, or {@link ProcessStatistics#UNKNOWN}. */
  public static long bytes() {
    try (InputStream file = new FileInputStream(FILE)) {
      byte[] content = file.readNBytes(MAX_FILE_BYTES);
      return parse(new String(content, StandardCharsets.US_ASCII));
    } catch (IOException | RuntimeException e) { // including a security manager's
      return ProcessStatistics.UNKNOWN;
    }
  }

  /** Extracts the number from the text of the file. */
  static long parse(String status) {
    int line = status.indexOf(LINE);
    int unit = status.indexOf("kB", line);
    if (line < 0 || unit < 0) {
      return ProcessStatistics.UNKNOWN;
    }
    return Long.parseLong(status.substring(line + LINE.length(), unit).trim()) << 10;
  }
}
