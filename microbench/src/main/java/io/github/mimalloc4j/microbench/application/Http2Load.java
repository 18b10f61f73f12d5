package io.github.mimalloc4j.microbench.application;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load generator of nghttp2, over HTTP/2. It goes through the addresses by turns and looks at
 * the status of an answer only.
 *
 * @param scheme {@code http} for HTTP/2 with prior knowledge, {@code https}
 * @param paths to request, one after the other
 */
record Http2Load(String scheme, List<String> paths) implements ExternalTool {
  private static final Pattern FINISHED =
      Pattern.compile("^finished in ([0-9.]+)(us|ms|s), ", Pattern.MULTILINE);

  private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0);

  /** "Failed" has the requests with a status other than 2xx and those without an answer. */
  private static final Pattern REQUESTS =
      Pattern.compile(
          "^requests: .* (\\d+) done, (\\d+) succeeded, (\\d+) failed, .*", Pattern.MULTILINE);

  @Override
  public String program() {
    return "h2load";
  }

  @Override
  public List<String> command(Load load) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program(),
                "-t",
                Integer.toString(ExternalTool.threads(load.connections())),
                "-c",
                Integer.toString(load.connections()),
                "-m",
                Integer.toString(load.pipelined()),
                "-D",
                Integer.toString(load.seconds())));
    for (String path : paths) {
      command.add("%s://127.0.0.1:%d%s".formatted(scheme, load.port(), path));
    }
    return command;
  }

  @Override
  public LoadResult read(String output, Load load) throws IOException {
    Matcher finished = FINISHED.matcher(output);
    Matcher requests = REQUESTS.matcher(output);
    if (!finished.find() || !requests.find()) {
      throw new IOException("unexpected output of h2load:\n" + output.strip());
    }
    long errors = Long.parseLong(requests.group(3));
    return new LoadResult(
        Long.parseLong(requests.group(1)) - errors,
        Double.parseDouble(finished.group(1)) * SECONDS.get(finished.group(2)),
        errors,
        errors == 0 ? null : "h2load: " + requests.group(),
        null);
  }
}
