package io.github.mimalloc4j.microbench.soak;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says what a soak came to, in words that let one run it again. */
final class SoakReport {
  private static final double MILLION = 1e6;
  private static final double GIB = 1L << 30;
  private static final int MIB_SHIFT = 20;

  private SoakReport() {}

  /** One line on where it is. */
  static String progress(Tally tally, Duration time, long usedBytes, long liveBytes) {
    long operations = tally.operations();
    return "%,d M operations, %.1f M/s, %,.1f GiB checked, used/live %,d/%,d MiB"
        .formatted(
            operations / (long) MILLION,
            perSecond(operations, time) / MILLION,
            tally.checkedBytes() / GIB,
            usedBytes >> MIB_SHIFT,
            liveBytes >> MIB_SHIFT);
  }

  /** What was done. */
  static void print(Outcome outcome, PrintWriter out) {
    Tally tally = outcome.tally();
    long operations = tally.operations();
    out.printf(
        "%,d operations in %.1f s, %.1f million a second; %,d bytes checked (%.1f GiB)%n",
        operations,
        outcome.time().toMillis() / 1000.0,
        perSecond(operations, outcome.time()) / MILLION,
        tally.checkedBytes(),
        tally.checkedBytes() / GIB);
    out.printf(
        "%,d threads, %,d pauses; at most %,d buffers of %,d MiB were live at a pause%n",
        outcome.lives(),
        outcome.pauses(),
        outcome.mostLiveBuffers(),
        outcome.mostLiveBytes() >> MIB_SHIFT);
    out.println(
        tally.byOperation().entrySet().stream()
            .map(each -> "%s %,d".formatted(name(each.getKey()), each.getValue()))
            .collect(Collectors.joining(", ")));
    outcome.notes().forEach(out::println);
  }

  /**
   * What is wrong, and how to look for it.
   *
   * @param again the command line of the same run
   */
  static void printFailure(
      Outcome.Failure failure, Tally tally, long seed, String again, PrintWriter err) {
    Throwable cause = failure.cause();
    err.println("soak FAILED: " + (cause instanceof SoakFailure ? cause.getMessage() : cause));
    err.println("while: " + failure.where());
    err.println("thread: " + failure.thread());
    err.printf("after: %,d operations of all threads%n", tally.operations());
    err.println("seed: " + seed);
    err.println("again: " + again);
    err.println("  The seed repeats what each life decides, not how the threads interleave.");
    cause.printStackTrace(err);
  }

  private static String name(Operation operation) {
    return operation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static double perSecond(long operations, Duration time) {
    return operations * 1000.0 / Math.max(1, time.toMillis());
  }
}
