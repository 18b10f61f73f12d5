package io.github.mimalloc4j.microbench.footprint;

import org.jspecify.annotations.Nullable;

/**
 * The memory at one moment.
 *
 * @param micros microseconds since the run began
 * @param phase what the program was doing
 * @param used bytes that the allocator held
 * @param live bytes that the program had not released
 * @param resident bytes that the process had in the machine's memory; null where the system does
 *     not tell
 */
record Sample(long micros, Phase phase, long used, long live, @Nullable Long resident) {
  private static final String SEPARATOR = ",";
  private static final int FIELDS = 5;

  /** The sample as a line; {@link #parse} reads it. */
  String toLine() {
    return String.join(
        SEPARATOR,
        Long.toString(micros),
        phase.name(),
        Long.toString(used),
        Long.toString(live),
        resident == null ? "" : Long.toString(resident));
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none of {@link #toLine}
   */
  static Sample parse(String line) {
    String[] fields = line.split(SEPARATOR, -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not a sample: '" + line + "'");
    }
    try {
      return new Sample(
          Long.parseLong(fields[0]),
          Phase.valueOf(fields[1]),
          Long.parseLong(fields[2]),
          Long.parseLong(fields[3]),
          fields[4].isEmpty() ? null : Long.valueOf(fields[4]));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a sample: '" + line + "'", e);
    }
  }
}
