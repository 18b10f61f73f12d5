package io.github.mimalloc4j.microbench.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.mimalloc4j.microbench.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what JMH writes with {@code -rf json}. */
final class JmhResults {
  private static final String BENCHMARK = "benchmark";
  private static final String PRIMARY = "primaryMetric";
  private static final String RAW = "rawData";
  private static final String HISTOGRAM = "rawDataHistogram";

  private JmhResults() {}

  /** Whether a file's content is of this kind. */
  static boolean isIn(JsonElement json) {
    if (!(json instanceof JsonArray array)) {
      return false;
    }
    for (JsonElement result : array) {
      if (!(result instanceof JsonObject object && object.has(BENCHMARK) && object.has(PRIMARY))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the results that name an allocator.
   *
   * @throws JsonParseException or another exception of Gson, if something is missing
   */
  static List<Result> read(JsonArray json) {
    List<Result> results = new ArrayList<>();
    for (JsonElement element : json) {
      JsonObject result = element.getAsJsonObject();
      Map<String, String> parameters = parameters(result);
      @Nullable String allocator = parameters.remove(Result.ALLOCATOR);
      if (allocator != null) {
        results.add(read(result, shortName(allocator), parameters));
      }
    }
    return results;
  }

  private static Map<String, String> parameters(JsonObject result) {
    Map<String, String> parameters = new TreeMap<>();
    if (result.get("params") instanceof JsonObject params) {
      params.entrySet().forEach(e -> parameters.put(e.getKey(), e.getValue().getAsString()));
    }
    return parameters;
  }

  /** Of a class, without its package. */
  private static String shortName(String allocator) {
    return allocator.substring(allocator.lastIndexOf('.') + 1);
  }

  private static Result read(JsonObject json, String allocator, Map<String, String> parameters) {
    String name = json.get(BENCHMARK).getAsString();
    Metric time = metric(name, json.getAsJsonObject(PRIMARY));
    if (time.forks().isEmpty()) {
      throw new JsonParseException(name + " has no measurements");
    }
    Map<String, Metric> secondary = new LinkedHashMap<>();
    if (json.get("secondaryMetrics") instanceof JsonObject metrics) {
      metrics
          .entrySet()
          .forEach(e -> secondary.put(e.getKey(), metric(name, e.getValue().getAsJsonObject())));
      secondary.values().removeIf(metric -> metric.forks().isEmpty());
    }
    Result.Work work =
        new Result.Work(
            benchmark(name),
            json.get("mode").getAsString(),
            time.unit(),
            json.get("threads").getAsInt(),
            parameters,
            Setup.read(json));
    return new Result(allocator, work, time, secondary);
  }

  /** {@code a.b.FooBenchmark.bar} is known well enough as {@code Foo.bar}. */
  private static String benchmark(String name) {
    int method = name.lastIndexOf('.');
    String type = name.substring(name.lastIndexOf('.', method - 1) + 1, Math.max(0, method));
    String suffix = "Benchmark";
    String shorter =
        type.endsWith(suffix) && type.length() > suffix.length()
            ? type.substring(0, type.length() - suffix.length())
            : type;
    return shorter + name.substring(Math.max(0, method));
  }

  private static Metric metric(String benchmark, JsonObject json) {
    List<List<Double>> forks = new ArrayList<>();
    boolean sampled = json.has(HISTOGRAM);
    JsonArray all = json.getAsJsonArray(sampled ? HISTOGRAM : RAW);
    if (all == null) {
      throw new JsonParseException(benchmark + " has no " + RAW);
    }
    for (JsonElement fork : all) {
      List<Double> iterations = new ArrayList<>();
      for (JsonElement iteration : fork.getAsJsonArray()) {
        double value = sampled ? mean(iteration.getAsJsonArray()) : iteration.getAsDouble();
        // JMH writes NaN where a fork could not tell.
        if (Double.isFinite(value)) {
          iterations.add(value);
        }
      }
      if (!iterations.isEmpty()) {
        forks.add(iterations);
      }
    }
    return new Metric(json.get("scoreUnit").getAsString(), forks);
  }

  /** Of pairs of a value and how often it was seen. */
  private static double mean(JsonArray pairs) {
    double sum = 0;
    double count = 0;
    for (JsonElement element : pairs) {
      JsonArray pair = element.getAsJsonArray();
      sum += pair.get(0).getAsDouble() * pair.get(1).getAsDouble();
      count += pair.get(1).getAsDouble();
    }
    return sum / count;
  }
}
