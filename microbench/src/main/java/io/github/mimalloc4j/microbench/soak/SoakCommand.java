package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.BufferKind;
import io.github.mimalloc4j.microbench.CommandLine;
import io.github.mimalloc4j.microbench.Progress;
import io.github.mimalloc4j.microbench.UsageException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The command {@code soak}: whether an allocator stays sound. */
public final class SoakCommand {
  /** The command's options. */
  public static final String SYNOPSIS =
      "[--minutes 2] [--operations N] [--seed N] [--kind both] [--allocator mimalloc] [--threads 2]"
          + " [--live-mib 256]";

  /** What it does. */
  public static final String SUMMARY =
      "Has threads of all kinds use stamped buffers in random order, and checks every byte, the"
          + " allocator's invariants, and that memory comes back. --threads is for each kind of"
          + " thread.";

  private static final BigDecimal DEFAULT_MINUTES = BigDecimal.valueOf(2);
  private static final BigDecimal MIN_MINUTES = new BigDecimal("0.01");
  private static final BigDecimal MAX_MINUTES = BigDecimal.valueOf(100_000);
  private static final int MILLIS_PER_MINUTE = 60_000;

  private static final int DEFAULT_THREADS = 2;
  private static final int MAX_THREADS = 256;
  private static final int DEFAULT_LIVE_MIB = 256;
  private static final int MAX_LIVE_MIB = 1 << 20;

  private static final Duration PAUSE_EVERY = Duration.ofSeconds(1);
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(10);

  /** Where buffers lie. */
  private enum Kinds {
    DIRECT(BufferKind.DIRECT),
    HEAP(BufferKind.HEAP),
    BOTH(BufferKind.values());

    final List<BufferKind> kinds;

    Kinds(BufferKind... kinds) {
      this.kinds = List.of(kinds);
    }
  }

  /**
   * What the user asked for.
   *
   * @param allocator what to test
   * @param soak how long and how much
   * @param again the command line of the same run
   */
  record Options(AllocatorKind allocator, SoakOptions soak, String again) {}

  private SoakCommand() {}

  /** Runs the command. */
  public static int run(List<String> args, PrintStream out, PrintStream err) throws Exception {
    Options options = parse(args);
    Subject subject =
        options.allocator() == AllocatorKind.MIMALLOC
            ? OwnSubject.create()
            : new PeerSubject(options.allocator());
    return run(subject, options, out, err);
  }

  static int run(Subject subject, Options options, PrintStream out, PrintStream err)
      throws InterruptedException {
    out.println("seed: " + options.soak().seed());
    out.println("again: " + options.again());
    if (!ThreadKind.available().contains(ThreadKind.VIRTUAL)) {
      out.println("this JVM has no virtual threads: they are left out");
    }
    if (subject.memoryReturn().isEmpty()) {
      out.println(
          options.allocator().optionName()
              + " has no invariants to walk and promises no return of memory: neither is checked");
    }
    out.flush();
    Progress progress = Progress.onStandardError();
    Outcome outcome = Soak.run(subject, options.soak(), new Reporter(options.soak(), progress));
    progress.done();
    SoakReport.print(outcome, out);
    if (outcome.failure() == null) {
      out.println("no error was found");
      return 0;
    }
    SoakReport.printFailure(
        outcome.failure(), outcome.tally(), options.soak().seed(), options.again(), err);
    return 1;
  }

  static Options parse(List<String> args) throws UsageException {
    CommandLine line =
        CommandLine.parse(
            args,
            Set.of(
                "--minutes",
                "--operations",
                "--seed",
                "--kind",
                "--allocator",
                "--threads",
                "--live-mib"),
            Set.of());
    AllocatorKind allocator = choice(line, "--allocator", AllocatorKind.MIMALLOC);
    Kinds kinds = choice(line, "--kind", Kinds.BOTH);
    BigDecimal minutes = line.decimalValue("--minutes", DEFAULT_MINUTES, MIN_MINUTES, MAX_MINUTES);
    int liveMib = line.intValue("--live-mib", DEFAULT_LIVE_MIB, 1, MAX_LIVE_MIB);
    long anySeed = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
    SoakOptions soak =
        new SoakOptions(
            Duration.ofMillis(minutes.multiply(BigDecimal.valueOf(MILLIS_PER_MINUTE)).longValue()),
            line.longValue("--operations", Long.MAX_VALUE, 1, Long.MAX_VALUE),
            line.longValue("--seed", anySeed, Long.MIN_VALUE, Long.MAX_VALUE),
            kinds.kinds,
            line.intValue("--threads", DEFAULT_THREADS, 1, MAX_THREADS),
            (long) liveMib << 20,
            PAUSE_EVERY);
    String again =
        "java -jar microbench.jar soak --minutes %s%s --seed %d --kind %s --allocator %s"
            .formatted(
                minutes.toPlainString(),
                line.flag("--operations") ? " --operations " + soak.operations() : "",
                soak.seed(),
                kinds.name().toLowerCase(Locale.ROOT),
                allocator.optionName());
    return new Options(
        allocator, soak, again + " --threads %d --live-mib %d".formatted(soak.threads(), liveMib));
  }

  private static <E extends Enum<E>> E choice(CommandLine line, String name, E otherwise)
      throws UsageException {
    return line.flag(name) ? line.requiredChoice(name, otherwise.getDeclaringClass()) : otherwise;
  }

  /** Shows the progress, not at every pause. */
  private static final class Reporter implements Soak.Listener {
    private final SoakOptions options;
    private final Progress progress;
    private Duration next = PROGRESS_EVERY;

    Reporter(SoakOptions options, Progress progress) {
      this.options = options;
      this.progress = progress;
    }

    @Override
    public void paused(Tally tally, Duration time, long usedBytes, long liveBytes) {
      if (time.compareTo(next) >= 0) {
        next = time.plus(PROGRESS_EVERY);
        progress.show(
            SoakReport.progress(tally, time, usedBytes, liveBytes), timeLeft(tally, time));
      }
    }

    private Duration timeLeft(Tally tally, Duration time) {
      double byOperations =
          (double) (options.operations() - tally.operations())
              / Math.max(1, tally.operations())
              * time.toMillis();
      double byTime = options.time().minus(time).toMillis();
      return Duration.ofMillis((long) Math.max(0, Math.min(byOperations, byTime)));
    }
  }
}
