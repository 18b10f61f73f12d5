package io.github.mimalloc4j.microbench.application;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The load of redis-benchmark. It counts requests instead of time, and stops at the first error.
 *
 * @param arguments that say what is sent
 * @param tests that it makes of them, one after the other, with as many requests each
 */
record RedisBenchmark(List<String> arguments, int tests) implements ExternalTool {
  /** A line of its output in CSV: the test's name and the requests in a second. */
  private static final Pattern RATE =
      Pattern.compile("^\"[^\"]*\",\"([0-9.]+)\"(,.*)?$", Pattern.MULTILINE);

  /** Sends one command again and again. */
  static RedisBenchmark command(String... words) {
    return new RedisBenchmark(List.of(words), 1);
  }

  /** Makes some of the program's own tests, with values of a size. */
  static RedisBenchmark tests(int bytes, String... names) {
    return new RedisBenchmark(
        List.of("-d", String.valueOf(bytes), "-t", String.join(",", names)), names.length);
  }

  @Override
  public String program() {
    return "redis-benchmark";
  }

  @Override
  public List<String> command(Load load) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program(), "-h", "127.0.0.1", "-p", String.valueOf(load.port())));
    command.addAll(List.of("-c", String.valueOf(load.connections())));
    command.addAll(List.of("-P", String.valueOf(load.pipelined())));
    command.addAll(List.of("-n", String.valueOf(each(load)), "--csv"));
    command.addAll(arguments);
    return command;
  }

  private long each(Load load) {
    return Math.max(1, load.requests() / tests);
  }

  @Override
  public LoadResult read(String output, Load load) throws IOException {
    List<Double> rates =
        RATE.matcher(output).results().map(line -> Double.valueOf(line.group(1))).toList();
    if (rates.size() != tests || output.contains("Error from server")) {
      throw new IOException("unexpected output of redis-benchmark:\n" + output.strip());
    }
    double seconds = rates.stream().mapToDouble(rate -> each(load) / rate).sum();
    return new LoadResult(each(load) * tests, seconds, 0, null, null);
  }
}
