package io.github.mimalloc4j.microbench.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The load of wrk, with a script of ours that sends the {@link RequestMix} and in the end prints
 * what wrk itself would not: the percentile 99.9, and all figures without rounding.
 */
final class WrkLoad implements Load {
  private static final String SCRIPT = "wrk.lua";
  private static final String SIZES = "@SIZES@";

  /** What a line of ours begins with; the others are wrk's own. */
  private static final String OURS = "end-to-end ";

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
    return List.of(
        "wrk",
        "-t",
        Integer.toString(Load.threads(connections)),
        "-c",
        Integer.toString(connections),
        "-d",
        time.toSeconds() + "s",
        "--timeout",
        "10s",
        "-s",
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
    Map<String, Long> figures = new HashMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (line.startsWith(OURS) && words.length == 3) {
        figures.put(words[1], Long.parseLong(words[2]));
      }
    }
    long requests = figure(figures, "requests", output);
    long errors = 0;
    StringBuilder kinds = new StringBuilder();
    for (String kind : List.of("connect", "read", "write", "status", "timeout")) {
      long count = figure(figures, "errors-" + kind, output);
      errors += count;
      if (count > 0) {
        kinds.append(kinds.length() == 0 ? "wrk: " : ", ").append(count + " of kind " + kind);
      }
    }
    return new LoadResult(
        requests,
        figure(figures, "micros", output) / MICROS_PER_SECOND,
        new LoadResult.Latency(
            figure(figures, "p50", output),
            figure(figures, "p90", output),
            figure(figures, "p99", output),
            figure(figures, "p99.9", output),
            figure(figures, "max", output)),
        errors,
        errors == 0 ? null : kinds.toString());
  }

  private static long figure(Map<String, Long> figures, String name, String output)
      throws IOException {
    Long value = figures.get(name);
    if (value == null) {
      throw new IOException("wrk did not tell " + name + "\n" + output.strip());
    }
    return value;
  }
}
