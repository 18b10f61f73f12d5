package io.github.mimalloc4j.microbench.trace;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out whether a file is a whole recording, before it is read. */
final class RecordingCheck {
  private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;

  /** The magic, two numbers of the version, and the length of the part that they begin. */
  private static final int BEGINNING = 2 * Integer.BYTES + Long.BYTES;

  private RecordingCheck() {}

  /**
   * Looks at the beginnings of all parts of a file.
   *
   * @throws IOException if it is none, or not whole; the message says so in one line
   */
  static void requireWhole(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException(file + " does not exist");
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " cannot be read");
    }
    long length = Files.size(file);
    if (length == 0) {
      throw new IOException(
          file + " is empty; it is written when the recording ends, or by jcmd PID JFR.dump");
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      long part = 0;
      while (part < length) {
        in.seek(part);
        boolean isBeginning = length - part >= Integer.BYTES && in.readInt() == MAGIC;
        if (!isBeginning && part == 0) {
          throw new IOException(file + " is not a Flight Recorder recording");
        }
        long size = isBeginning && length - part >= BEGINNING ? sizeOfPart(in) : 0;
        if (size < BEGINNING || size > length - part) {
          throw new IOException(
              file
                  + " is truncated or still being written: the part at byte "
                  + part
                  + " has "
                  + (length - part)
                  + (size < BEGINNING ? " bytes" : " of " + size + " bytes"));
        }
        part += size;
      }
    }
  }

  private static long sizeOfPart(RandomAccessFile in) throws IOException {
    in.readInt(); // the version
    return in.readLong();
  }
}
