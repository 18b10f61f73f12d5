package io.github.mimalloc4j.microbench.application;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The load of wrk over HTTP/1.1, with a script of ours that sends the requests and in the end
 * prints the figures without rounding.
 *
 * @param scheme http or https
 * @param path of the requests without a body
 * @param sizes of the requests' bodies, in the order of sending: {@code POST /echo}; of a request
 *     without a body {@link #GET}
 */
record Wrk(String scheme, String path, int[] sizes) implements ExternalTool {
  /** Stands for a request without a body. */
  static final int GET = -1;

  private static final String SCRIPT = "wrk.lua";

  /** A line of our script; the others are wrk's own. */
  private static final Pattern FIGURE =
      Pattern.compile("^end-to-end (\\S+) (\\d+)$", Pattern.MULTILINE);

  private static final String ERRORS = "errors-";

  private static final List<String> FIGURES =
      List.of(
          "requests",
          "micros",
          "errors-connect",
          "errors-read",
          "errors-write",
          "errors-status",
          "errors-timeout");

  @Override
  public String program() {
    return "wrk";
  }

  @Override
  public List<String> command(Load load) throws IOException {
    Path script = load.folder().resolve(SCRIPT);
    Files.writeString(script, script(load.pipelined()));
    return List.of(
        program(),
        "-t" + threads(load.connections(), ExternalTool.threads(load.connections())),
        "-c" + load.connections(),
        "-d" + load.seconds() + "s",
        "--timeout",
        "10s",
        "-s",
        script.toString(),
        scheme + "://127.0.0.1:" + load.port());
  }

  /** At most so many, with equally many connections: wrk leaves out the rest. */
  static int threads(int connections, int most) {
    int threads = most;
    while (connections % threads != 0) {
      threads--;
    }
    return threads;
  }

  private String script(int pipelined) throws IOException {
    try (@Nullable InputStream in = Wrk.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IOException("resource " + SCRIPT + " is missing");
      }
      String list = Arrays.stream(sizes).mapToObj(String::valueOf).collect(Collectors.joining(","));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@SIZES@", list)
          .replace("@PATH@", path)
          .replace("@PIPELINED@", String.valueOf(pipelined));
    }
  }

  @Override
  public LoadResult read(String output, Load load) throws IOException {
    Map<String, Long> figures =
        FIGURE
            .matcher(output)
            .results()
            .collect(Collectors.toMap(line -> line.group(1), line -> Long.valueOf(line.group(2))));
    if (!figures.keySet().containsAll(FIGURES)) {
      throw new IOException("wrk did not report all of " + FIGURES + "\n" + output.strip());
    }
    Map<String, Long> errors = new TreeMap<>(figures);
    errors.entrySet().removeIf(each -> !each.getKey().startsWith(ERRORS) || each.getValue() == 0);
    long count = errors.values().stream().mapToLong(Long::longValue).sum();
    return new LoadResult(
        figures.get("requests") - count,
        figures.get("micros") / 1e6,
        count,
        errors.isEmpty() ? null : "wrk: " + text(errors),
        null);
  }

  private static String text(Map<String, Long> errors) {
    return errors.entrySet().stream()
        .map(each -> each.getValue() + " of kind " + each.getKey().substring(ERRORS.length()))
        .collect(Collectors.joining(", "));
  }
}
