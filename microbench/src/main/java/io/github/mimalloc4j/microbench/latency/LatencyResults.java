package io.github.mimalloc4j.microbench.latency;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.FileFormat;
import io.github.mimalloc4j.microbench.Numbers;
import io.github.mimalloc4j.microbench.Setup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the command found out.
 *
 * @param setup what it was measured with
 * @param clock the mean cost and the coarsest granularity that any of the JVMs saw
 * @param collections garbage collections while operations were timed, by subject, in all rounds
 * @param distributions by subject and operation
 */
public record LatencyResults(
    Setup setup, Clock clock, Map<String, Long> collections, List<Distribution> distributions) {

  private static final FileFormat FORMAT = new FileFormat("mimalloc4j latency 1");

  static LatencyResults of(Setup setup, Map<String, List<RoundResult>> rounds) {
    Map<String, Long> collections = new LinkedHashMap<>();
    List<Distribution> distributions = new ArrayList<>();
    rounds.forEach(
        (subject, own) -> {
          collections.put(subject, own.stream().mapToLong(RoundResult::collections).sum());
          distributions.add(
              Distribution.of(subject, Distribution.ALLOCATE, own, RoundResult::allocate));
          distributions.add(
              Distribution.of(subject, Distribution.RELEASE, own, RoundResult::release));
        });
    List<Clock> clocks =
        rounds.values().stream().flatMap(Collection::stream).map(RoundResult::clock).toList();
    Clock clock =
        new Clock(
            Numbers.median(clocks.stream().map(Clock::cost).toList()),
            clocks.stream().mapToLong(Clock::granularity).max().orElse(0));
    return new LatencyResults(setup, clock, collections, distributions);
  }

  /** Whether a file's content is one of these. */
  public static boolean isIn(JsonElement json) {
    return FORMAT.isIn(json);
  }

  /** Reads a file's content. */
  public static LatencyResults read(JsonObject json) {
    JsonObject clock = json.getAsJsonObject("clock");
    Map<String, Long> collections = new LinkedHashMap<>();
    json.getAsJsonObject("collections")
        .entrySet()
        .forEach(entry -> collections.put(entry.getKey(), entry.getValue().getAsLong()));
    List<Distribution> distributions = new ArrayList<>();
    for (JsonElement distribution : json.getAsJsonArray("distributions")) {
      distributions.add(Distribution.read(distribution.getAsJsonObject()));
    }
    return new LatencyResults(
        Setup.read(json),
        new Clock(clock.get("costNanos").getAsDouble(), clock.get("granularityNanos").getAsLong()),
        collections,
        distributions);
  }

  /** The content of a file. */
  String toJson() {
    JsonObject json = FORMAT.begin(setup);
    JsonObject clocks = new JsonObject();
    clocks.addProperty("costNanos", clock.cost());
    clocks.addProperty("granularityNanos", clock.granularity());
    json.add("clock", clocks);
    JsonObject counts = new JsonObject();
    collections.forEach(counts::addProperty);
    json.add("collections", counts);
    JsonArray array = new JsonArray();
    distributions.forEach(distribution -> array.add(distribution.toJson()));
    json.add("distributions", array);
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(json) + "\n";
  }

  /** The distributions of one operation. */
  List<Distribution> of(String operation) {
    return distributions.stream().filter(d -> d.operation().equals(operation)).toList();
  }
}
