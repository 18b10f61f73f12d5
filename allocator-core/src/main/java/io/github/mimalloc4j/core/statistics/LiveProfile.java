package io.github.mimalloc4j.core.statistics;

import java.util.List;

/**
 * Who holds an allocator's memory: the buffers in use by the place that allocated them, estimated
 * from a sample of them.
 *
 * <p>A buffer with a block of some size is sampled with the probability <i>1 - exp(-size /
 * sampleBytes)</i>, and a sample counts as one buffer divided by that probability. So the estimates
 * are right on average. With few samples they are inaccurate: the standard error of <i>n</i>
 * samples is about one part in the square root of <i>n</i>.
 *
 * @param sampleBytes the mean number of allocated bytes from one sample to the next; 0 if buffers
 *     are not sampled
 * @param sites the places, the one with the most bytes first; empty if buffers are not sampled
 */
public record LiveProfile(long sampleBytes, List<Site> sites) {

  /** The profile of an allocator that does not sample. */
  public static final LiveProfile OFF = new LiveProfile(0, List.of());

  /** Copies the list. */
  public LiveProfile {
    sites = List.copyOf(sites);
  }

  /** {@return whether buffers are sampled} */
  public boolean isOn() {
    return sampleBytes > 0;
  }

  /**
   * A place that allocated buffers, or made them grow beyond their block, and what is left of them.
   *
   * @param place the class, method and line that called the allocator or a buffer, past the frames
   *     of the allocator, of Netty's buffers and of reflection
   * @param direct whether the memory is direct rather than on the Java heap
   * @param bytes the estimated bytes of the buffers in use, each with its whole block
   * @param buffers the estimated number of buffers in use
   * @param samples the number of samples that the estimates come from, 1 or more
   * @param oldestMillis the age of the oldest of these samples, in milliseconds
   * @param oldestThread the name of the thread that allocated it
   * @param oldestTrace its stack trace from the place on, at most 32 frames; empty if the JVM does
   *     not provide one
   */
  public record Site(
      String place,
      boolean direct,
      long bytes,
      long buffers,
      int samples,
      long oldestMillis,
      String oldestThread,
      List<StackTraceElement> oldestTrace) {

    /** Copies the list. */
    public Site {
      oldestTrace = List.copyOf(oldestTrace);
    }

    /**
     * Returns a frame as {@link #place} has it: the class, the method, the file and the line,
     * without the module and the class loader.
     *
     * @param frame the frame
     * @return the frame as text
     */
    public static String text(StackTraceElement frame) {
      String file = frame.getFileName();
      int line = frame.getLineNumber();
      return frame.getClassName()
          + '.'
          + frame.getMethodName()
          + '('
          + (file == null ? "Unknown Source" : line < 0 ? file : file + ':' + line)
          + ')';
    }
  }
}
