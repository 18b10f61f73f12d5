package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.workload.ThreadKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code soak}: tests an allocator with random operations. */
@Command(
    name = "soak",
    description =
        "Runs random operations on stamped buffers on threads of all kinds. Checks every byte, the"
            + " allocator's invariants, and that memory is given back.")
public final class SoakCommand extends AbstractCommand {
  private static final int MILLIS_PER_MINUTE = 60_000;

  /** With --failures, memory is limited to --live-mib divided by this, so it is always short. */
  private static final int LIMIT_SHARE = 32;

  /** Threads pause for an inspection once a second, but at most this many times. */
  private static final int MOST_PAUSES = 600;

  private enum Kinds {
    DIRECT,
    HEAP,
    BOTH;

    List<BufferKind> kinds() {
      return List.of(
          this == BOTH ? BufferKind.values() : new BufferKind[] {BufferKind.valueOf(name())});
    }
  }

  @Range(min = "0.01", max = "100000")
  @Option(names = "--minutes", description = "Length of the run in minutes.")
  private BigDecimal minutes = BigDecimal.valueOf(2);

  @Range(min = "1", max = "9223372036854775807")
  @Option(names = "--operations", description = "Ends the run earlier, after this many operations.")
  private @Nullable Long operations;

  @Option(names = "--seed", description = "Seed of all random decisions; random by default.")
  private long seed = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);

  @Option(names = "--kind", description = "Kind of the buffers: ${COMPLETION-CANDIDATES}.")
  private Kinds kinds = Kinds.BOTH;

  @Option(names = "--allocator", description = "Allocator: ${COMPLETION-CANDIDATES}.")
  private AllocatorKind allocator = AllocatorKind.MIMALLOC;

  @Range(min = "1", max = "256")
  @Option(names = "--threads", description = "Number of threads of each kind.")
  private int threads = 2;

  @Range(min = "1", max = "1048576")
  @Option(names = "--live-mib", description = "Approximate maximum of live memory in MiB.")
  private int liveMib = 256;

  @Option(
      names = "--failures",
      description =
          "Limits each kind of memory to 1/32 of --live-mib, and makes memory, blocks, a listener"
              + " and a log appender fail at random. For mimalloc only.")
  private boolean failures;

  @Override
  public Integer call() throws Exception {
    if (!failures) {
      return run(Subject.of(allocator), options());
    }
    if (allocator != AllocatorKind.MIMALLOC) {
      throw misuse("--failures is for --allocator mimalloc only");
    }
    try (Failures bad = new Failures(((long) liveMib << 20) / LIMIT_SHARE)) {
      return run(Subject.failing(bad, UnaryOperator.identity()), options());
    }
  }

  private SoakOptions options() {
    long millis = minutes.multiply(BigDecimal.valueOf(MILLIS_PER_MINUTE)).longValue();
    return new SoakOptions(
        Duration.ofMillis(millis),
        operations == null ? Long.MAX_VALUE : operations,
        seed,
        kinds.kinds(),
        threads,
        (long) liveMib << 20,
        Duration.ofMillis(Math.max(1_000, millis / MOST_PAUSES)));
  }

  /** Returns the command line that repeats this run. */
  private String again() {
    return "java -jar microbench.jar soak --minutes %s%s --seed %d --kind %s --allocator %s"
            .formatted(
                minutes.toPlainString(),
                operations == null ? "" : " --operations " + operations,
                seed,
                kinds.name().toLowerCase(Locale.ROOT),
                allocator.optionName())
        + " --threads %d --live-mib %d%s"
            .formatted(threads, liveMib, failures ? " --failures" : "");
  }

  int run(Subject subject, SoakOptions options) throws InterruptedException {
    out().println("seed: " + options.seed());
    out().println("again: " + again());
    if (!ThreadKind.available().contains(ThreadKind.VIRTUAL)) {
      out().println("this JVM has no virtual threads, so none are used");
    }
    if (subject.memoryReturn == Subject.Return.NONE) {
      out()
          .println(
              allocator.optionName()
                  + " has no invariants to check and does not promise to give memory back,"
                  + " so neither is checked");
    }
    out().flush();
    Progress progress = Progress.onStandardError();
    Outcome outcome = new Soak(subject, options, progress::show).run();
    progress.done();
    outcome.print(out());
    if (outcome.failure() != null) {
      outcome.printFailure(outcome.failure(), options.seed(), again(), err());
      return 1;
    }
    if (subject.failures != null && !subject.failures.hadEffect()) {
      err().println("soak: too few failures came about; run it for longer");
      return 1;
    }
    out().println("no errors found");
    return 0;
  }
}
