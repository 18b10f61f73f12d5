package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.command.AbstractCommand;
import io.github.mimalloc4j.microbench.command.OutputFile;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.RangePlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code report}: shows results as a web page and as tables. */
@Command(
    name = "report",
    description =
        "Writes a web page from result files of JMH (-rf json -rff results.json), compare, latency,"
            + " end-to-end, footprint and replay, and prints their tables.")
public final class ReportCommand extends AbstractCommand {
  @Parameters(paramLabel = "results.json", description = "Result files.")
  private List<Path> results = List.of();

  @Option(
      names = "--output",
      converter = OutputFile.class,
      defaultValue = "report.html",
      description = "HTML file for the web page.")
  private Path output;

  @Option(
      names = "--picture",
      converter = OutputFile.class,
      description =
          "SVG file for a plot of each result of end-to-end, compare and footprint --bursts.")
  private @Nullable Path picture;

  @Override
  public Integer call() throws Exception {
    if (results.isEmpty()) {
      throw misuse("no result files given");
    }
    if (picture != null) {
      refuseTwice("--output", output, "--picture", picture);
    }
    List<Path> files = results.stream().map(AbstractCommand::absolute).toList();
    for (Path file : results) {
      if (Collections.frequency(files, absolute(file)) > 1) {
        throw misuse(file + " is given twice");
      }
      refuseToOverwrite(file, "--output", output);
      if (picture != null) {
        refuseToOverwrite(file, "--picture", picture);
      }
    }
    Report report = new Report(read());
    List<RangePlot> plots = picture == null ? List.of() : plots(report);
    Document document = report.document();
    Files.writeString(output, document.html());
    out().println(document.text());
    out().println("Web page with charts: " + output);
    if (picture != null) {
      Files.writeString(picture, RangePlot.svg(plots));
      out().println("Picture: " + picture);
    }
    return 0;
  }

  private List<RangePlot> plots(Report report) {
    List<RangePlot> plots = report.plots();
    if (plots.isEmpty()) {
      throw misuse("--picture needs results of end-to-end, compare or footprint --bursts");
    }
    return plots;
  }

  private ResultFiles read() {
    try {
      return ResultFiles.read(results);
    } catch (IOException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }
}
