package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.command.Rounds;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code footprint}: measures whether memory grows and is given back. */
@Command(
    name = "footprint",
    description =
        "Measures the memory that allocators hold while busy and idle. Writes a web page, and the"
            + " samples for the report command.")
public final class FootprintCommand extends AbstractCommand {
  private static final BigDecimal USUAL_PHASE = BigDecimal.valueOf(5);

  private static final int USUAL_THREADS = 300;

  private static final String USUAL_SIZES = "uniform 64 1048576";

  private static final BigDecimal AFTER_A_BURST = BigDecimal.valueOf(4);

  @Option(names = "--allocator", defaultValue = "all", description = Allocators.DESCRIPTION)
  private Allocators allocators;

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "footprint.html",
      description = "HTML file for the web page.")
  private Path output;

  @Option(
      names = "--json",
      converter = OutputFile.class,
      defaultValue = "footprint.json",
      description = "JSON file for the samples, written after each allocator.")
  private Path json;

  @Range(min = "1", max = "4096")
  @Option(names = "--burst", description = "Live memory of the burst in MiB.")
  private int burst = 512;

  /** By default long enough for allocators that give memory back after a second or two. */
  @Range(min = "0.1", max = "3600")
  @Option(
      names = "--seconds",
      description =
          "Length of each of the 10 phases in seconds (default: 5), or with --bursts of idling"
              + " after each burst (default: 4).")
  private @Nullable BigDecimal seconds;

  @Range(min = "1", max = "100000")
  @Option(
      names = "--threads",
      description =
          "Number of short-lived threads of each kind, not with --bursts (default: "
              + USUAL_THREADS
              + ").")
  private @Nullable Integer threads;

  /** A separate measurement: whether resident memory is given back after each burst. */
  @Range(min = "0", max = "1000")
  @Option(
      names = "--bursts",
      description =
          "Runs this many bursts instead of the phases, each followed by --seconds of idling, and"
              + " reports the memory that stays resident.")
  private int bursts;

  @Option(
      names = "--sizes",
      description =
          "Buffer sizes, only with --bursts: a number, a pattern, or a distribution (default: \""
              + USUAL_SIZES
              + "\").")
  private @Nullable String sizes;

  List<String> allocators() {
    return allocators.names();
  }

  FootprintPlan plan() {
    BigDecimal time = seconds != null ? seconds : bursts > 0 ? AFTER_A_BURST : USUAL_PHASE;
    return new FootprintPlan(
        (long) burst << 20,
        Duration.ofMillis(time.movePointRight(3).longValue()),
        threads == null ? USUAL_THREADS : threads);
  }

  @Override
  public Integer call() throws Exception {
    if (bursts > 0 && threads != null) {
      throw misuse("--threads has no effect with --bursts");
    }
    if (bursts == 0 && sizes != null) {
      throw misuse("--sizes needs --bursts");
    }
    refuseTwice("--output", output, "--json", json);
    List<String> flags = ChildProcess.flags(FootprintRun.FLAGS);
    CommandReport report = bursts > 0 ? inBursts(flags) : inPhases(flags);
    Document document = report.document();
    Files.writeString(output, document.html());
    out().println(document.text());
    out().println("Web page: " + output);
    out().println("Samples for the report command: " + json);
    return 0;
  }

  private CommandReport inPhases(List<String> flags) throws IOException, InterruptedException {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    FootprintResults results = new FootprintResults(Setup.here(flags), plan(), samples);
    new Rounds(1)
        .measure(
            allocators(),
            plan().phase().multipliedBy(Phase.values().length),
            (allocator, round, begun) -> {
              FootprintRun run = new FootprintRun(allocator, plan());
              samples.put(
                  allocator,
                  MeasuringJvm.measure(run, FootprintRun.Samples.class, flags, begun).samples());
              FootprintResults.FORMAT.write(json, results);
            },
            () -> {});
    return new FootprintReport(results);
  }

  private CommandReport inBursts(List<String> flags) throws IOException, InterruptedException {
    String sizes = this.sizes == null ? USUAL_SIZES : this.sizes;
    try {
      SizePattern.of(sizes);
    } catch (IllegalArgumentException e) { // before anything is measured
      throw misuse("--sizes: " + e.getMessage());
    }
    Map<String, BurstsRun.Bursts> found = new LinkedHashMap<>();
    BurstsResults results = new BurstsResults(Setup.here(flags), plan(), sizes, found);
    new Rounds(1)
        .measure(
            allocators(),
            plan().phase().multipliedBy(bursts + 1L),
            (allocator, round, begun) -> {
              BurstsRun run = new BurstsRun(allocator, plan(), sizes, bursts);
              found.put(allocator, MeasuringJvm.measure(run, BurstsRun.Bursts.class, flags, begun));
              BurstsResults.FORMAT.write(json, results);
            },
            () -> {});
    return new BurstsReport(results);
  }
}
