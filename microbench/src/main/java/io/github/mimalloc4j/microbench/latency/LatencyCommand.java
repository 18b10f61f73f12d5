package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandLine;
import io.github.mimalloc4j.microbench.Progress;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleConsumer;

/**
 * The command {@code latency}: the distribution of single operations.
 *
 * <p>Rounds as in {@code compare}: the subjects follow each other directly, in an order that
 * changes, so that a disturbance of the machine rarely hits one of them alone.
 */
public final class LatencyCommand {
  /** The command's options. */
  public static final String SYNOPSIS =
      "[--allocator all] [--operations 10000000] [--rounds 5] [--output latency.json]";

  /** What it does. */
  public static final String SUMMARY =
      "Prints how long single allocations and releases take, up to the slowest, and writes it for"
          + " the command report.";

  private static final List<AllocatorKind> ALL =
      List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED);

  private static final int DEFAULT_OPERATIONS = 10_000_000;
  private static final int MIN_OPERATIONS = 1000;
  private static final int MAX_OPERATIONS = 2_000_000_000;
  private static final int DEFAULT_ROUNDS = 5;
  private static final int MAX_ROUNDS = 100;

  /** Measures one subject. */
  @FunctionalInterface
  interface Meter {
    /**
     * Measures.
     *
     * @param subject an allocator or the floor
     * @param operations how many allocations, and as many releases
     * @param progress is told the part that is done, from 0 to 1
     */
    RoundResult measure(String subject, long operations, DoubleConsumer progress)
        throws IOException, InterruptedException;
  }

  /**
   * What the user asked for.
   *
   * @param subjects what to measure, in the order in which to show it
   * @param operations of each kind and subject, in all rounds together
   * @param rounds how many JVMs for each subject
   * @param output the file for the results
   */
  record Options(List<String> subjects, long operations, int rounds, Path output) {
    /** As was seen on a machine with little else to do, warm-up included. */
    private static final Duration JVM = Duration.ofSeconds(2);

    private static final Duration OPERATION = Duration.ofNanos(400);

    /** How long all of it takes, before there is more than a guess. */
    Duration guess() {
      return JVM.multipliedBy(rounds)
          .plus(OPERATION.multipliedBy(operations))
          .multipliedBy(subjects.size());
    }
  }

  private LatencyCommand() {}

  /** Runs the command. */
  public static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    Options options = parse(args);
    WorkerProcess worker = new WorkerProcess();
    Map<String, List<RoundResult>> rounds =
        measure(options, worker, Progress.onStandardError(), new Estimate(options.guess()));
    LatencyResults results = LatencyResults.of(Setup.here(worker.flags()), rounds);
    Files.writeString(options.output(), results.toJson());
    LatencyReport report = new LatencyReport(results);
    out.println(report.table().toMarkdown());
    report.notes().forEach(out::println);
    out.println();
    results.setup().lines().forEach(out::println);
    out.println("The results, for the command report: " + options.output());
    return 0;
  }

  static Options parse(List<String> args) throws UsageException {
    CommandLine line =
        CommandLine.parse(
            args, Set.of("--allocator", "--operations", "--rounds", "--output"), Set.of());
    List<String> subjects = new ArrayList<>();
    for (AllocatorKind allocator : line.someOf("--allocator", AllocatorKind.class, ALL)) {
      subjects.add(Subject.of(allocator));
    }
    subjects.add(Subject.FLOOR);
    return new Options(
        subjects,
        line.intValue("--operations", DEFAULT_OPERATIONS, MIN_OPERATIONS, MAX_OPERATIONS),
        line.intValue("--rounds", DEFAULT_ROUNDS, 1, MAX_ROUNDS),
        line.outputFile("--output", "latency.json"));
  }

  /** Measures all subjects, round by round. */
  static Map<String, List<RoundResult>> measure(
      Options options, Meter meter, Progress progress, Estimate estimate)
      throws IOException, InterruptedException {
    List<String> subjects = options.subjects();
    Map<String, List<RoundResult>> results = new LinkedHashMap<>();
    subjects.forEach(subject -> results.put(subject, new ArrayList<>()));
    int runs = options.rounds() * subjects.size();
    for (int run = 0; run < runs; run++) {
      int round = run / subjects.size();
      String subject = subjects.get((run + round) % subjects.size());
      String title =
          "round %d of %d, %s".formatted(round + 1, options.rounds(), Subject.label(subject));
      int before = run;
      DoubleConsumer begun =
          part -> progress.show(title, estimate.timeLeft((before + part) / runs));
      begun.accept(0);
      results.get(subject).add(meter.measure(subject, operations(options, round), begun));
    }
    progress.done();
    return results;
  }

  /** A round's share of the operations; the last takes what a division leaves. */
  private static long operations(Options options, int round) {
    long share = options.operations() / options.rounds();
    return round < options.rounds() - 1
        ? share
        : options.operations() - share * (options.rounds() - 1);
  }
}
