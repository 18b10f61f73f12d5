package io.github.mimalloc4j.microbench.latency;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Points of a distribution.
 *
 * @param nanos by the percentile's name, one of {@link #NAMES}: the time that so many operations of
 *     a hundred took at most
 */
record Percentiles(Map<String, Long> nanos) {
  /** What is slower than all percentiles. */
  static final String MAX = "100";

  static final List<String> NAMES = List.of("50", "90", "99", "99.9", "99.99", "99.999", MAX);

  private static final double HUNDRED = 100;

  /** One operation, and a little less for what a division loses. */
  private static final double ONE = 0.999;

  /** Those of a histogram; without those beyond which there is not a single operation. */
  static Percentiles of(Histogram histogram) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (String name : NAMES) {
      double percent = Double.parseDouble(name);
      if (name.equals(MAX)) {
        nanos.put(name, histogram.getMaxValue());
      } else if (histogram.getTotalCount() * (HUNDRED - percent) / HUNDRED >= ONE) {
        nanos.put(name, histogram.getValueAtPercentile(percent));
      }
    }
    return new Percentiles(nanos);
  }

  static Percentiles read(JsonObject json) {
    Map<String, Long> nanos = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : json.entrySet()) {
      nanos.put(entry.getKey(), entry.getValue().getAsLong());
    }
    return new Percentiles(nanos);
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    nanos.forEach(json::addProperty);
    return json;
  }

  OptionalLong get(String name) {
    Long found = nanos.get(name);
    return found == null ? OptionalLong.empty() : OptionalLong.of(found);
  }

  /** One of how many operations is slower than a percentile; the maximum is one of all. */
  static double oneOf(String name, long count) {
    return name.equals(MAX) ? count : HUNDRED / (HUNDRED - Double.parseDouble(name));
  }
}
