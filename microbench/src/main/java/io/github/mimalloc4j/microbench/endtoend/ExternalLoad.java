package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The loads that other programs make. */
final class ExternalLoad {
  private static final String SCRIPT = "wrk.lua";

  /** A line of our script for wrk; the others are wrk's own. */
  private static final Pattern WRK_FIGURE =
      Pattern.compile("^end-to-end (\\S+) (\\d+)$", Pattern.MULTILINE);

  private static final String ERRORS = "errors-";

  private static final List<String> WRK_FIGURES =
      words(
          "requests micros p50 p90 p99 p99.9 max"
              + " errors-connect errors-read errors-write errors-status errors-timeout");

  private static final Pattern H2LOAD_FINISHED =
      Pattern.compile("^finished in ([0-9.]+)(us|ms|s), ", Pattern.MULTILINE);

  private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0);

  /** "Failed" has the requests with a status other than 2xx and those without an answer. */
  private static final Pattern H2LOAD_REQUESTS =
      Pattern.compile(
          "^requests: .* (\\d+) done, (\\d+) succeeded, (\\d+) failed, .*", Pattern.MULTILINE);

  /** The columns of h2load's log: start since the epoch, status, microseconds until the end. */
  private static final int LOG_COLUMNS = 3;

  private ExternalLoad() {}

  /**
   * The load of wrk, with a script of ours that sends the {@link RequestMix} and in the end prints
   * what wrk itself would not: the percentile 99.9, and all figures without rounding.
   */
  static LoadResult wrk(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    Path script = temporaryFile(".lua");
    try {
      Files.writeString(script, script(RequestMix.draw()));
      String options =
          "wrk -t %d -c %d -d %ds --timeout 10s -s"
              .formatted(LoadTool.threads(connections), connections, time.toSeconds());
      return parseWrk(run(time, words(options, script.toString(), server.toString())));
    } finally {
      Files.deleteIfExists(script);
    }
  }

  static String script(int[] sizes) throws IOException {
    try (@Nullable InputStream in = ExternalLoad.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IOException("resource " + SCRIPT + " is missing");
      }
      String list = Arrays.stream(sizes).mapToObj(String::valueOf).collect(Collectors.joining(","));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("@SIZES@", list);
    }
  }

  static LoadResult parseWrk(String output) throws IOException {
    Map<String, Long> figures =
        WRK_FIGURE
            .matcher(output)
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> Long.valueOf(line.group(2))));
    if (!figures.keySet().containsAll(WRK_FIGURES)) {
      throw new IOException("wrk did not tell all of " + WRK_FIGURES + "\n" + output.strip());
    }
    Map<String, Long> errors = new TreeMap<>(figures);
    errors.entrySet().removeIf(each -> !each.getKey().startsWith(ERRORS) || each.getValue() == 0);
    return new LoadResult(
        figures.get("requests"),
        figures.get("micros") / 1e6,
        new LoadResult.Latency(
            figures.get("p50"),
            figures.get("p90"),
            figures.get("p99"),
            figures.get("p99.9"),
            figures.get("max")),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        errors.isEmpty() ? null : "wrk: " + text(errors));
  }

  private static String text(Map<String, Long> errors) {
    return errors.entrySet().stream()
        .map(each -> each.getValue() + " of kind " + each.getKey().substring(ERRORS.length()))
        .collect(Collectors.joining(", "));
  }

  /** The load of h2load, over HTTP/1.1. Its latencies are those of its log, a line a request. */
  static LoadResult h2load(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    Path body = temporaryFile(".body");
    Path log = temporaryFile(".tsv");
    try {
      Files.writeString(body, "x".repeat(RequestMix.MEDIAN));
      String options =
          "h2load --h1 -t %d -c %d -D %d -d"
              .formatted(LoadTool.threads(connections), connections, time.toSeconds());
      String output =
          run(time, words(options, body.toString(), "--log-file=" + log, server + "/echo"));
      try (Stream<String> lines = Files.lines(log)) {
        return parseH2load(output, lines);
      }
    } finally {
      Files.deleteIfExists(body);
      Files.deleteIfExists(log);
    }
  }

  static LoadResult parseH2load(String output, Stream<String> log) throws IOException {
    Matcher finished = H2LOAD_FINISHED.matcher(output);
    Matcher requests = H2LOAD_REQUESTS.matcher(output);
    if (!finished.find() || !requests.find()) {
      throw new IOException("output of h2load is not as expected:\n" + output.strip());
    }
    long errors = Long.parseLong(requests.group(3));
    Histogram micros = LoadResult.emptyHistogram();
    log.map(line -> line.split("\t", -1))
        .filter(columns -> columns.length >= LOG_COLUMNS)
        .forEach(columns -> micros.recordValue(Long.parseLong(columns[2])));
    return new LoadResult(
        Long.parseLong(requests.group(1)),
        Double.parseDouble(finished.group(1)) * SECONDS.get(finished.group(2)),
        LoadResult.Latency.of(micros),
        errors,
        errors == 0 ? null : "h2load: " + requests.group());
  }

  private static Path temporaryFile(String suffix) throws IOException {
    Path file = Files.createTempFile("end-to-end", suffix);
    file.toFile().deleteOnExit(); // For the case that the user gives up.
    return file;
  }

  /** The program's output and its errors together. */
  private static String run(Duration time, List<String> command)
      throws IOException, InterruptedException {
    try (ChildProcess program = ChildProcess.start(command.get(0), command, line -> false)) {
      return program.awaitSuccess(time.plus(LoadTool.PATIENCE)).strip();
    }
  }

  /** A command: words that single spaces separate, then arguments that may contain spaces. */
  private static List<String> words(String words, String... others) {
    return Stream.concat(Stream.of(words.split(" ", -1)), Stream.of(others)).toList();
  }
}
