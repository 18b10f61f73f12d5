package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Progress;
import io.github.mimalloc4j.microbench.command.Range;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code footprint}: whether memory grows, and whether it comes back. */
@Command(
    name = "footprint",
    description =
        "Makes a web page of the memory that allocators hold, busy and idle, and writes the"
            + " samples for the command report.")
public final class FootprintCommand extends AbstractCommand {
  private static final BigDecimal USUAL_PHASE = BigDecimal.valueOf(5);

  private static final BigDecimal AFTER_A_BURST = BigDecimal.valueOf(4);

  @Option(names = "--allocator", defaultValue = "all", description = "Names with commas, or all.")
  private Allocators allocators;

  @Option(names = "--output", converter = OutputFile.class, defaultValue = "footprint.html")
  private Path output;

  @Option(names = "--json", converter = OutputFile.class, defaultValue = "footprint.json")
  private Path json;

  @Range(min = "1", max = "4096")
  @Option(names = "--burst", description = "The live set of the burst, in MiB.")
  private int burst = 512;

  /** Long enough for an allocator that waits a second or two before it gives memory back. */
  @Range(min = "0.1", max = "3600")
  @Option(names = "--seconds", description = "The time of each of 10 phases.")
  private @Nullable BigDecimal seconds;

  @Range(min = "1", max = "100000")
  @Option(names = "--threads", description = "Threads of each kind that come and go.")
  private int threads = 300;

  /** Another measurement, of one thing alone: whether resident memory comes back each time. */
  @Range(min = "0", max = "1000")
  @Option(
      names = "--bursts",
      description =
          "So many bursts, each followed by --seconds of idling, in place of the phases; tells"
              + " what stays resident. 4 seconds, unless given.")
  private int bursts;

  @Option(names = "--sizes", description = "The sizes of the buffers of --bursts.")
  private String sizes = "uniform 64 1048576";

  List<AllocatorKind> allocators() {
    return allocators.kinds();
  }

  FootprintPlan plan() {
    BigDecimal time = seconds != null ? seconds : bursts > 0 ? AFTER_A_BURST : USUAL_PHASE;
    return new FootprintPlan(
        (long) burst << 20, Duration.ofMillis(time.movePointRight(3).longValue()), threads);
  }

  @Override
  public Integer call() throws Exception {
    List<String> flags = ChildProcess.flags(FootprintRun.FLAGS);
    CommandReport report = bursts > 0 ? inBursts(flags) : inPhases(flags);
    Document document = report.document();
    Files.writeString(output, document.html());
    out().println(document.text());
    out().println("The same as a page: " + output);
    out().println("The samples, for the command report: " + json);
    return 0;
  }

  private CommandReport inPhases(List<String> flags) throws IOException, InterruptedException {
    Map<AllocatorKind, List<Sample>> samples =
        measure(
            (run, begun) -> MeasuringJvm.measure(run, FootprintRun.Samples.class, flags, begun),
            Progress.onStandardError());
    FootprintResults results = new FootprintResults(Setup.here(flags), plan(), samples);
    FootprintResults.FORMAT.write(json, results);
    return new FootprintReport(results);
  }

  private CommandReport inBursts(List<String> flags) throws IOException, InterruptedException {
    SizePattern.of(sizes); // an error in it is told before anything is measured
    Progress progress = Progress.onStandardError();
    Map<AllocatorKind, BurstsRun.Bursts> found = new LinkedHashMap<>();
    for (AllocatorKind allocator : allocators()) {
      BurstsRun run = new BurstsRun(allocator, plan(), sizes, bursts);
      Consumer<String> begun =
          number ->
              progress.show(
                  run.label() + ": burst " + number,
                  plan().phase().multipliedBy(bursts - Integer.parseInt(number) + 1L));
      found.put(allocator, MeasuringJvm.measure(run, BurstsRun.Bursts.class, flags, begun));
    }
    progress.done();
    BurstsResults results = new BurstsResults(Setup.here(flags), plan(), sizes, found);
    BurstsResults.FORMAT.write(json, results);
    return new BurstsReport(results);
  }

  /** Measures one allocator after the other. */
  Map<AllocatorKind, List<Sample>> measure(
      MeasuringJvm.Meter<FootprintRun, FootprintRun.Samples> meter, Progress progress)
      throws IOException, InterruptedException {
    Map<AllocatorKind, List<Sample>> samples = new LinkedHashMap<>();
    FootprintPlan plan = plan();
    int phases = Phase.values().length;
    for (AllocatorKind allocator : allocators()) {
      int allocatorsLeft = allocators().size() - samples.size();
      Consumer<String> begun =
          name -> {
            Phase phase = Phase.valueOf(name);
            int phasesLeft = allocatorsLeft * phases - phase.ordinal();
            progress.show(
                allocator.optionName() + ": " + phase.title(),
                plan.phase().multipliedBy(phasesLeft));
          };
      FootprintRun run = new FootprintRun(allocator, plan);
      samples.put(allocator, meter.measure(run, begun).samples());
    }
    progress.done();
    return samples;
  }
}
