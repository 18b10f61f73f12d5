package io.github.mimalloc4j.microbench.endtoend;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The load of h2load, over HTTP/1.1. Its latencies are those of its log, a line for a request. */
final class H2LoadLoad implements Load {
  private static final Pattern FINISHED =
      Pattern.compile("^finished in ([0-9.]+)(us|ms|s), ", Pattern.MULTILINE);

  /** "Failed" has the requests with a status other than 2xx and those without an answer. */
  private static final Pattern REQUESTS =
      Pattern.compile(
          "^requests: .* (\\d+) done, (\\d+) succeeded, (\\d+) failed, .*", Pattern.MULTILINE);

  /** The columns of the log: start since the epoch, status, microseconds until the end. */
  private static final int LOG_COLUMNS = 3;

  @Override
  public LoadResult run(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    Path body = Files.createTempFile("end-to-end", ".body");
    Path log = Files.createTempFile("end-to-end", ".tsv");
    body.toFile().deleteOnExit(); // For the case that the user gives up.
    log.toFile().deleteOnExit();
    try {
      Files.writeString(body, "x".repeat(RequestMix.MEDIAN));
      String output = Load.run(command(server, connections, time, body, log), time);
      try (Stream<String> lines = Files.lines(log)) {
        return parse(output, lines);
      }
    } finally {
      Files.deleteIfExists(body);
      Files.deleteIfExists(log);
    }
  }

  private static List<String> command(
      URI server, int connections, Duration time, Path body, Path log) {
    return Load.words(
        "h2load --h1 -t %d -c %d -D %d -d"
            .formatted(Load.threads(connections), connections, time.toSeconds()),
        body.toString(),
        "--log-file=" + log,
        server + "/echo");
  }

  /** Reads what h2load printed, and its log. */
  static LoadResult parse(String output, Stream<String> log) throws IOException {
    Matcher finished = find(FINISHED, output);
    Matcher requests = find(REQUESTS, output);
    long errors = Long.parseLong(requests.group(3));
    Histogram micros = OwnLoad.emptyHistogram();
    log.map(line -> line.split("\t", -1))
        .filter(columns -> columns.length >= LOG_COLUMNS)
        .forEach(columns -> micros.recordValue(Long.parseLong(columns[2])));
    return new LoadResult(
        Long.parseLong(requests.group(1)),
        seconds(finished.group(1), finished.group(2)),
        OwnLoad.latency(micros),
        errors,
        errors == 0 ? null : "h2load: " + requests.group());
  }

  private static double seconds(String number, String unit) {
    double value = Double.parseDouble(number);
    return switch (unit) {
      case "us" -> value / 1e6;
      case "ms" -> value / 1e3;
      default -> value;
    };
  }

  private static Matcher find(Pattern pattern, String output) throws IOException {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IOException("output of h2load is not as expected:\n" + output.strip());
    }
    return matcher;
  }
}
