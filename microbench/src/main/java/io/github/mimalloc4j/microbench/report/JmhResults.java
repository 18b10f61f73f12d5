package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.mimalloc4j.microbench.report.Result.Metric;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Records;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads what JMH writes with {@code -rf json}. */
final class JmhResults {
  static final String ALLOCATOR = "allocator";

  /** A result in the file, as far as it matters here; JmhCommand adds the environment. */
  private record Run(
      String benchmark,
      String mode,
      int threads,
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
  }

  /**
   * A metric in the file.
   *
   * @param rawData a number for each iteration of each fork
   * @param rawDataHistogram the same of samples: pairs of a value and how often it was seen
   */
  private record Score(
      String scoreUnit,
      @Nullable List<List<JsonPrimitive>> rawData,
      @Nullable List<List<List<List<Double>>>> rawDataHistogram) {

    /** Forks and iterations that could not tell, for which JMH writes NaN, are left out. */
    Metric metric(String benchmark) {
      if (rawData == null && rawDataHistogram == null) {
        throw new JsonParseException(benchmark + " has no rawData");
      }
      Stream<Stream<Double>> forks =
          rawDataHistogram == null
              ? rawData.stream().map(fork -> fork.stream().map(JsonPrimitive::getAsDouble))
              : rawDataHistogram.stream().map(fork -> fork.stream().map(Score::mean));
      return new Metric(
          scoreUnit,
          forks
              .map(fork -> fork.filter(Double::isFinite).toList())
              .filter(fork -> !fork.isEmpty())
              .toList());
    }

    private static Double mean(List<List<Double>> pairs) {
      double sum = pairs.stream().mapToDouble(pair -> pair.get(0) * pair.get(1)).sum();
      return sum / pairs.stream().mapToDouble(pair -> pair.get(1)).sum();
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
  static List<Result> read(JsonElement json) {
    List<Result> results = new ArrayList<>();
    for (Run run : Records.JSON.fromJson(json, Run[].class)) {
      Map<String, String> parameters = new TreeMap<>(or(run.params(), Map.of()));
      String allocator = parameters.remove(ALLOCATOR);
      if (allocator != null) {
        results.add(result(run, allocator, parameters));
      }
    }
    return results;
  }

  private static Result result(Run run, String allocator, Map<String, String> parameters) {
    String name = run.benchmark();
    Metric time = run.primaryMetric().metric(name);
    if (time.forks().isEmpty()) {
      throw new JsonParseException(name + " has no measurements");
    }
    Map<String, Metric> metrics = new LinkedHashMap<>();
    or(run.secondaryMetrics(), Map.<String, Score>of())
        .forEach((measure, score) -> metrics.put(measure, score.metric(name)));
    metrics.values().removeIf(metric -> metric.forks().isEmpty());
    metrics.put(Comparison.TIME, time);
    // Of a class, without its package; a.b.FooBenchmark.bar is known well enough as Foo.bar.
    String shortAllocator = allocator.substring(allocator.lastIndexOf('.') + 1);
    String shortName =
        name.replaceFirst("^.*\\.(?=[^.]+\\.[^.]+$)", "").replaceFirst("(?<=.)Benchmark\\.", ".");
    return new Result(
        shortAllocator,
        new Result.Work(shortName, run.mode(), time.unit(), run.threads(), parameters, run.setup()),
        metrics);
  }
}
