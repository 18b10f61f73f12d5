package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;

/**
 * The result for other programs: a JSON object.
 *
 * <ul>
 *   <li>{@code format}: 1; another number means other fields
 *   <li>{@code load}: {@code tool} (own, wrk, h2load), {@code work} (the requests in words), {@code
 *       seconds} of one load, {@code rounds}, {@code warmup} (rounds before those), {@code
 *       connections}, {@code tls}
 *   <li>{@code environment}: lines on JDK, processor and Netty; {@code flags}: of the servers' JVMs
 *   <li>{@code rounds}: an object for each load, in the order of measuring: {@code round} (from 1),
 *       {@code allocator}, {@code requests}, {@code seconds}, {@code errors}, {@code cpuSeconds}
 *       (null if unknown) and a field for each {@link Figure}
 *   <li>{@code summary}: an object for each figure and allocator: {@code figure}, {@code
 *       allocator}, {@code values} and {@code ratios}, which are null or have {@code median},
 *       {@code min} and {@code max}; a ratio is the value divided by mimalloc's of the same round
 * </ul>
 */
final class EndToEndJson {
  private static final int FORMAT = 1;

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();

  private EndToEndJson() {}

  static String render(
      EndToEndOptions options, List<String> environment, List<String> flags, List<Round> rounds) {
    JsonObject all = new JsonObject();
    all.addProperty("format", FORMAT);
    all.add("load", load(options));
    all.add("environment", GSON.toJsonTree(environment));
    all.add("flags", GSON.toJsonTree(flags));
    all.add("rounds", array(rounds.stream().map(EndToEndJson::round).toList()));
    all.add("summary", array(Summary.of(rounds).stream().map(EndToEndJson::summary).toList()));
    return GSON.toJson(all) + '\n';
  }

  private static JsonObject load(EndToEndOptions options) {
    JsonObject load = new JsonObject();
    load.addProperty("tool", options.tool().optionName());
    load.addProperty("work", options.tool().work());
    load.addProperty("seconds", options.time().toSeconds());
    load.addProperty("rounds", options.rounds());
    load.addProperty("warmup", options.warmup());
    load.addProperty("connections", options.connections());
    load.addProperty("tls", options.tls());
    return load;
  }

  private static JsonObject round(Round round) {
    JsonObject json = new JsonObject();
    json.addProperty("round", round.round() + 1);
    json.addProperty("allocator", round.allocator().optionName());
    json.addProperty("requests", round.load().requests());
    json.addProperty("seconds", round.load().seconds());
    json.addProperty("errors", round.load().errors());
    json.addProperty("cpuSeconds", round.cpuSeconds());
    for (Figure figure : Figure.values()) {
      json.addProperty(figure.field(), figure.of(round));
    }
    return json;
  }

  private static JsonObject summary(Summary summary) {
    JsonObject json = new JsonObject();
    json.addProperty("figure", summary.figure().field());
    json.addProperty("allocator", summary.allocator().optionName());
    json.add("values", GSON.toJsonTree(summary.values()));
    json.add("ratios", GSON.toJsonTree(summary.ratios()));
    return json;
  }

  private static JsonArray array(List<? extends JsonElement> elements) {
    JsonArray array = new JsonArray();
    elements.forEach(array::add);
    return array;
  }
}
