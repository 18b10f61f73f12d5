package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.CommandLine;
import io.github.mimalloc4j.microbench.Progress;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The command {@code footprint}: whether memory grows, and whether it comes back. */
public final class FootprintCommand {
  /** The command's options. */
  public static final String SYNOPSIS =
      "[--allocator all] [--output footprint.html] [--json footprint.json] [--burst 512]"
          + " [--seconds 5] [--threads 300]";

  /** What it does. */
  public static final String SUMMARY =
      "Makes a web page of the memory that allocators hold, busy and idle, and writes the samples"
          + " for the command report. --burst is in MiB, --seconds is for each of 10 phases.";

  static final List<AllocatorKind> ALL =
      List.of(AllocatorKind.MIMALLOC, AllocatorKind.ADAPTIVE, AllocatorKind.POOLED);

  private static final int DEFAULT_BURST_MIB = 512;
  private static final int MAX_BURST_MIB = 4096;
  private static final int DEFAULT_THREADS = 300;
  private static final int MAX_THREADS = 100_000;

  /** Long enough for an allocator that waits a second or two before it gives memory back. */
  private static final BigDecimal DEFAULT_SECONDS = BigDecimal.valueOf(5);

  private static final BigDecimal MIN_SECONDS = new BigDecimal("0.1");
  private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(3600);

  /** Measures one allocator. */
  @FunctionalInterface
  interface Meter {
    /**
     * Measures.
     *
     * @param allocator what to measure
     * @param plan how large and how long
     * @param begun is told of each phase when it begins
     */
    List<Sample> measure(AllocatorKind allocator, FootprintPlan plan, Consumer<Phase> begun)
        throws IOException, InterruptedException;
  }

  /**
   * What the user asked for.
   *
   * @param allocators in the order in which they are measured and shown
   * @param output the page
   * @param json the file for the samples
   * @param plan how large and how long
   */
  record Options(List<AllocatorKind> allocators, Path output, Path json, FootprintPlan plan) {}

  private FootprintCommand() {}

  /** Runs the command. */
  public static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    Options options = parse(args);
    WorkerProcess worker = new WorkerProcess();
    Map<AllocatorKind, List<Sample>> samples = measure(options, worker, Progress.onStandardError());
    FootprintResults results =
        new FootprintResults(Setup.here(worker.flags()), options.plan(), samples);
    Files.writeString(options.json(), results.toJson());
    FootprintReport report = new FootprintReport(results);
    Files.writeString(options.output(), report.html());
    out.print(report.text());
    out.println("The same with charts: " + options.output());
    out.println("The samples, for the command report: " + options.json());
    return 0;
  }

  static Options parse(List<String> args) throws UsageException {
    CommandLine line =
        CommandLine.parse(
            args,
            Set.of("--allocator", "--output", "--json", "--burst", "--seconds", "--threads"),
            Set.of());
    BigDecimal seconds = line.decimalValue("--seconds", DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS);
    FootprintPlan plan =
        new FootprintPlan(
            (long) line.intValue("--burst", DEFAULT_BURST_MIB, 1, MAX_BURST_MIB) << 20,
            Duration.ofMillis(seconds.movePointRight(3).longValue()),
            line.intValue("--threads", DEFAULT_THREADS, 1, MAX_THREADS));
    Path output = line.outputFile("--output", "footprint.html");
    Path json = line.outputFile("--json", "footprint.json");
    return new Options(line.someOf("--allocator", AllocatorKind.class, ALL), output, json, plan);
  }

  /** Measures one allocator after the other. */
  static Map<AllocatorKind, List<Sample>> measure(Options options, Meter meter, Progress progress)
      throws IOException, InterruptedException {
    Map<AllocatorKind, List<Sample>> samples = new LinkedHashMap<>();
    int phases = Phase.values().length;
    for (AllocatorKind allocator : options.allocators()) {
      int allocatorsLeft = options.allocators().size() - samples.size();
      Consumer<Phase> begun =
          phase -> {
            int phasesLeft = allocatorsLeft * phases - phase.ordinal();
            progress.show(
                allocator.optionName() + ": " + phase.title(),
                options.plan().phase().multipliedBy(phasesLeft));
          };
      samples.put(allocator, meter.measure(allocator, options.plan(), begun));
    }
    progress.done();
    return samples;
  }
}
