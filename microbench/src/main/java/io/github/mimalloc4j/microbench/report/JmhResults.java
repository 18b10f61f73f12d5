package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.mimalloc4j.microbench.harness.SideResultsProfiler;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Records;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads what JMH writes with {@code -rf json}. */
final class JmhResults {
  static final String ALLOCATOR = "allocator";

  /** Parameters that no benchmark has: the iterations, and how long each took. */
  static final String WARM_UP = "warm-up";

  static final String MEASUREMENT = "measurement";

  /** By JMH's own profiler gc. */
  private static final String GARBAGE = "gc.alloc.rate.norm";

  /** Of the units that JMH measures in. */
  private static final Map<String, Double> NANOS =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9, "min", 6e10, "hr", 3.6e12, "day", 8.64e13);

  /** A result in the file, as far as it matters here; JmhCommand adds the environment. */
  private record Run(
      String benchmark,
      String mode,
      int threads,
      @Nullable Integer warmupIterations,
      @Nullable String warmupTime,
      @Nullable Integer measurementIterations,
      @Nullable String measurementTime,
      @Nullable List<String> jvmArgs,
      @Nullable String jdkVersion,
      @Nullable String vmName,
      @Nullable String vmVersion,
      @Nullable Map<String, String> params,
      Score primaryMetric,
      @Nullable Map<String, Score> secondaryMetrics,
      @Nullable Map<String, String> environment) {

    Setup setup() {
      return new Setup(
          or(jdkVersion, Machine.UNKNOWN),
          or(vmName, Machine.UNKNOWN) + (vmVersion == null ? "" : " " + vmVersion),
          or(jvmArgs, List.of()),
          Machine.of(or(environment, Map.of())));
    }

    List<List<Double>> secondary(String name) {
      Score score = or(secondaryMetrics, Map.<String, Score>of()).get(name);
      return score == null ? List.of() : score.forks(benchmark);
    }
  }

  /**
   * A metric in the file.
   *
   * @param rawData a number for each iteration of each fork
   */
  private record Score(String scoreUnit, @Nullable List<List<JsonPrimitive>> rawData) {

    /** Forks and iterations that could not tell, for which JMH writes NaN, are left out. */
    List<List<Double>> forks(String benchmark) {
      if (rawData == null) {
        throw new JsonParseException(
            benchmark + " has no rawData; the mode sample is not supported");
      }
      return rawData.stream()
          .map(
              fork ->
                  fork.stream().map(JsonPrimitive::getAsDouble).filter(Double::isFinite).toList())
          .filter(fork -> !fork.isEmpty())
          .toList();
    }

    /** A time of an operation, or a throughput, in nanoseconds of an operation. */
    double nanos(double value) {
      Double unit = NANOS.get(scoreUnit.replaceFirst("^ops/|/op$", ""));
      if (unit == null) {
        throw new JsonParseException("unknown scoreUnit " + scoreUnit);
      }
      return scoreUnit.startsWith("ops/") ? unit / value : unit * value;
    }
  }

  private JmhResults() {}

  private static <T> T or(@Nullable T value, T otherwise) {
    return Objects.requireNonNullElse(value, otherwise);
  }

  static boolean isIn(JsonElement json) {
    return json instanceof JsonArray array
        && StreamSupport.stream(array.spliterator(), false)
            .allMatch(
                result ->
                    result instanceof JsonObject object
                        && object.has("benchmark")
                        && object.has("primaryMetric"));
  }

  /** The results that name an allocator; a RuntimeException says what is missing or wrong. */
  static List<JmhResult> read(JsonElement json) {
    List<JmhResult> results = new ArrayList<>();
    for (Run run : Records.JSON.fromJson(json, Run[].class)) {
      Map<String, String> parameters = new TreeMap<>(or(run.params(), Map.of()));
      String allocator = parameters.remove(ALLOCATOR);
      if (allocator != null) {
        parameters.put("mode", run.mode());
        parameters.put("number of threads", String.valueOf(run.threads()));
        putTimes(parameters, WARM_UP, run.warmupIterations(), run.warmupTime());
        putTimes(parameters, MEASUREMENT, run.measurementIterations(), run.measurementTime());
        results.add(result(run, allocator, parameters));
      }
    }
    return results;
  }

  private static void putTimes(
      Map<String, String> parameters,
      String name,
      @Nullable Integer iterations,
      @Nullable String time) {
    if (iterations != null && time != null) {
      parameters.put(name, iterations + " * " + time);
    }
  }

  private static JmhResult result(Run run, String allocator, Map<String, String> parameters) {
    String name = run.benchmark();
    Score time = run.primaryMetric();
    List<List<Double>> nanos =
        time.forks(name).stream().map(fork -> fork.stream().map(time::nanos).toList()).toList();
    if (nanos.isEmpty()) {
      throw new JsonParseException(name + " has no measurements");
    }
    // a.b.FooBenchmark.bar is known well enough as Foo.bar.
    String shortName =
        name.replaceFirst("^.*\\.(?=[^.]+\\.[^.]+$)", "").replaceFirst("(?<=.)Benchmark\\.", ".");
    return new JmhResult(
        new JmhResult.Work(shortName, parameters, run.setup()),
        allocatorName(allocator),
        nanos,
        run.secondary(SideResultsProfiler.PEAK_USED),
        run.secondary(GARBAGE));
  }

  /** The name of a kind as the kinds have it, and of a class as it is. */
  private static String allocatorName(String parameter) {
    return parameter.contains(".") ? parameter : parameter.toUpperCase(Locale.ROOT);
  }
}
