package io.github.mimalloc4j.microbench.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The load of wrk, with a script of ours that sends the {@link RequestMix} and in the end prints
 * what wrk itself would not: the percentile 99.9, and all figures without rounding.
 */
final class WrkLoad implements Load {
  private static final String SCRIPT = "wrk.lua";
  private static final String SIZES = "@SIZES@";

  /** A line of ours; the others are wrk's own. */
  private static final Pattern FIGURE =
      Pattern.compile("^end-to-end (\\S+) (\\d+)$", Pattern.MULTILINE);

  private static final String ERRORS = "errors-";

  /** What the script prints. */
  private static final List<String> FIGURES =
      Load.words(
          "requests micros p50 p90 p99 p99.9 max"
              + " errors-connect errors-read errors-write errors-status errors-timeout");

  private static final double MICROS_PER_SECOND = 1e6;

  @Override
  public LoadResult run(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    Path script = Files.createTempFile("end-to-end", ".lua");
    script.toFile().deleteOnExit(); // For the case that the user gives up.
    try {
      Files.writeString(script, script(RequestMix.draw()));
      return parse(Load.run(command(server, connections, time, script), time));
    } finally {
      Files.deleteIfExists(script);
    }
  }

  private static List<String> command(URI server, int connections, Duration time, Path script) {
    return Load.words(
        "wrk -t %d -c %d -d %ds --timeout 10s -s"
            .formatted(Load.threads(connections), connections, time.toSeconds()),
        script.toString(),
        server.toString());
  }

  static String script(int[] sizes) throws IOException {
    try (@Nullable InputStream in = WrkLoad.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IOException("resource " + SCRIPT + " is missing");
      }
      String list =
          Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(","));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(SIZES, list);
    }
  }

  /** Reads what wrk printed. */
  static LoadResult parse(String output) throws IOException {
    Map<String, Long> figures = new LinkedHashMap<>();
    FIGURE
        .matcher(output)
        .results()
        .forEach(line -> figures.put(line.group(1), Long.parseLong(line.group(2))));
    if (!figures.keySet().containsAll(FIGURES)) {
      throw new IOException("wrk did not tell all of " + FIGURES + "\n" + output.strip());
    }
    Map<String, Long> errors = new LinkedHashMap<>(figures);
    errors.entrySet().removeIf(each -> !each.getKey().startsWith(ERRORS) || each.getValue() == 0);
    return new LoadResult(
        figures.get("requests"),
        figures.get("micros") / MICROS_PER_SECOND,
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
}
