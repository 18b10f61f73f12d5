package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.Allocators;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.command.Range;
import io.github.mimalloc4j.microbench.command.Rounds;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.trace.Trace;
import io.github.mimalloc4j.microbench.trace.TraceFile;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code replay}: replays the buffers of a recorded program with each allocator. */
@Command(
    name = "replay",
    description =
        "Replays the recorded buffer operations of a program with each allocator, and writes a web"
            + " page with their CPU time and memory.")
public final class ReplayCommand extends AbstractCommand {
  private static final long WARM_UP_MILLIS = 3000;
  private static final long FAST_MILLIS = 2000;

  private final long warmUpMillis;
  private final long fastMillis;

  /** The observed time to start a JVM. */
  private static final long START_MILLIS = 1500;

  private static final double MILLIS_PER_SECOND = 1000;

  @Parameters(
      paramLabel = "FILE",
      arity = "1",
      description =
          "Flight Recorder recording made with the settings of the record command, or a trace"
              + " written by --trace.")
  private Path file;

  @Option(names = "--allocator", defaultValue = "all", description = Allocators.DESCRIPTION)
  private Allocators allocators;

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "replay.html",
      description = "HTML file for the web page.")
  private Path output;

  @Option(
      names = "--json",
      converter = OutputFile.class,
      defaultValue = "replay.json",
      description = "JSON file for the figures, written after each round of JVMs.")
  private Path json;

  @Option(
      names = "--trace",
      converter = OutputFile.class,
      description =
          "File to keep the trace in. It is much smaller than the recording, and benchmarks can"
              + " use its sizes.")
  private @Nullable Path trace;

  @Range(min = "1", max = "100")
  @Option(names = "--jvms", description = "Number of JVMs for each allocator.")
  private int jvms = 3;

  @Range(min = "0.1", max = "3600")
  @Option(
      names = "--seconds",
      description = "Seconds of the recording to replay at the recorded pace.")
  private BigDecimal seconds = BigDecimal.TEN;

  public ReplayCommand() {
    this(WARM_UP_MILLIS, FAST_MILLIS);
  }

  /** Creates a command with other times, for tests. */
  ReplayCommand(long warmUpMillis, long fastMillis) {
    this.warmUpMillis = warmUpMillis;
    this.fastMillis = fastMillis;
  }

  @Override
  public Integer call() throws Exception {
    refuseTwice("--output", output, "--json", json);
    if (trace != null) {
      refuseTwice("--output", output, "--trace", trace);
      refuseTwice("--json", json, "--trace", trace);
    }
    refuseToOverwrite(file, "--output", output);
    refuseToOverwrite(file, "--json", json);
    if (trace != null) {
      replay(trace);
      return 0;
    }
    Path traced = Files.createTempFile("replay", ".trace");
    traced.toFile().deleteOnExit(); // for the case that the user gives up
    try {
      replay(traced);
      return 0;
    } finally {
      Files.deleteIfExists(traced);
    }
  }

  private void replay(Path traced) throws IOException, InterruptedException {
    TraceSummary summary = read(traced);
    report(measure(summary, traced));
  }

  private ReplayResults measure(TraceSummary summary, Path traced)
      throws IOException, InterruptedException {
    List<String> flags = ChildProcess.flags(ReplayRun.flags(summary));
    Setup setup = Setup.here(flags);
    double pacedSeconds = Math.min(seconds.doubleValue(), summary.facts().seconds());
    long pacedMillis = Math.max(1, (long) (pacedSeconds * MILLIS_PER_SECOND));
    Map<String, List<ReplayRun.Measured>> measured = new LinkedHashMap<>();
    ReplayResults results = new ReplayResults(setup, summary, pacedSeconds, measured);
    new Rounds(jvms)
        .measure(
            Stream.concat(allocators.names().stream(), Stream.of(ReplayRun.NO_ALLOCATOR)).toList(),
            Duration.ofMillis(
                START_MILLIS
                    + warmUpMillis
                    + fastMillis
                    + ReplayRun.pacedWarmUpMillis(pacedMillis)
                    + pacedMillis),
            (subject, round, begun) -> {
              String name = traced.toAbsolutePath().toString();
              ReplayRun run = new ReplayRun(subject, name, warmUpMillis, fastMillis, pacedMillis);
              measured
                  .computeIfAbsent(subject, first -> new ArrayList<>())
                  .add(MeasuringJvm.measure(run, ReplayRun.Measured.class, flags, begun));
            },
            () -> ReplayResults.FORMAT.write(json, results));
    return results;
  }

  private TraceSummary read(Path traced) throws IOException {
    if (Files.isRegularFile(file) && Files.isReadable(file) && TraceFile.isTrace(file)) {
      TraceSummary summary = TraceFile.summary(file); // before another trace is replaced by it
      if (!Files.exists(traced) || !Files.isSameFile(file, traced)) {
        Files.copy(file, traced, StandardCopyOption.REPLACE_EXISTING);
      }
      return summary;
    }
    refuseToOverwrite(file, "--trace", traced);
    return Trace.ofRecording(file, traced);
  }

  private void report(ReplayResults results) throws IOException {
    Document report = new ReplayReport(results).document();
    Files.writeString(output, report.html());
    out().println(report.text());
    out().println("Web page with charts: " + output);
    out().println("Figures for the report command: " + json);
    if (trace != null) {
      out().println("Trace: " + trace);
    }
  }
}
