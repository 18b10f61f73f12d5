package io.github.mimalloc4j.core.memory;

/** The unit in which memory is claimed from a segment. */
public final class Slices {

  /** Bytes in a slice. */
  public static final int BYTES = 16 * 1024;

  private Slices() {}

  /** Returns the number of slices that hold the given number of bytes. */
  public static int count(int bytes) {
    return (int) (((long) bytes + BYTES - 1) / BYTES);
  }
}
