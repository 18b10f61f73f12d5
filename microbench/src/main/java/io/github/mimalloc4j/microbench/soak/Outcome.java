package io.github.mimalloc4j.microbench.soak;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a soak.
 *
 * @param failure what ended it; null if there was no error
 * @param time how long threads worked
 * @param lives how many threads began and ended
 * @param mostLiveBuffers at a pause; the same for the bytes
 * @param notes about the end and about what could not be checked
 */
record Outcome(
    @Nullable Failure failure,
    Traffic traffic,
    Duration time,
    int lives,
    int pauses,
    int mostLiveBuffers,
    long mostLiveBytes,
    List<String> notes) {
  private static final double MILLION = 1e6;
  private static final double GIB = 1L << 30;
  private static final int MIB_SHIFT = 20;

  /** What ended a soak: the activity, its thread, and what was thrown. */
  record Failure(String where, String thread, Throwable cause) {}

  /** Returns one line about the progress of a soak. */
  static String progress(Traffic traffic, Duration time, long usedBytes, long liveBytes) {
    long operations = traffic.operations();
    return "%,d M operations, %.1f M/s, %,.1f GiB checked, used/live %,d/%,d MiB"
        .formatted(
            operations / (long) MILLION,
            perSecond(operations, time) / MILLION,
            traffic.checkedBytes() / GIB,
            usedBytes >> MIB_SHIFT,
            liveBytes >> MIB_SHIFT);
  }

  private static double perSecond(long operations, Duration time) {
    return operations * 1000.0 / Math.max(1, time.toMillis());
  }

  /** Prints what was done. */
  void print(PrintWriter out) {
    long operations = traffic.operations();
    out.printf(
        "%,d operations in %.1f s, %.1f million per second; %,d bytes checked (%.1f GiB)%n",
        operations,
        time.toMillis() / 1000.0,
        perSecond(operations, time) / MILLION,
        traffic.checkedBytes(),
        traffic.checkedBytes() / GIB);
    out.printf(
        "%,d threads, %,d pauses; most live at a pause: %,d buffers, %,d MiB%n",
        lives, pauses, mostLiveBuffers, mostLiveBytes >> MIB_SHIFT);
    out.println(
        traffic.byOperation().entrySet().stream()
            .map(each -> "%s %,d".formatted(each.getKey(), each.getValue()))
            .map(text -> text.toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", ")));
    notes.forEach(out::println);
  }

  /** Prints what went wrong and the command line that repeats the run. */
  void printFailure(Failure wrong, long seed, String again, PrintWriter err) {
    Throwable cause = wrong.cause();
    err.println("soak FAILED: " + (cause instanceof SoakFailure ? cause.getMessage() : cause));
    err.println("while: " + wrong.where());
    err.println("thread: " + wrong.thread());
    err.printf("after: %,d operations of all threads%n", traffic.operations());
    err.println("seed: " + seed);
    err.println("again: " + again);
    err.println("  The seed repeats the decisions of each life, not the order of the threads.");
    cause.printStackTrace(err);
  }
}
