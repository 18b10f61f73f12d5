package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.mimalloc4j.microbench.FileFormat;
import io.github.mimalloc4j.microbench.Ratio;
import io.github.mimalloc4j.microbench.Setup;
import io.github.mimalloc4j.microbench.endtoend.Summary.Spread;
import java.util.ArrayList;
import java.util.List;

/**
 * All that one run of the command found out. As a file it is a JSON object:
 *
 * <ul>
 *   <li>{@code format}; {@code jdkVersion}, {@code vmName}, {@code jvmArgs} (of the servers' JVMs)
 *       and {@code environment} as in all results
 *   <li>{@code load}: {@code tool} (own, wrk, h2load), {@code work} (the requests in words), {@code
 *       seconds} of one load, {@code rounds}, {@code warmup} (rounds before those), {@code
 *       connections}, {@code tls}
 *   <li>{@code rounds}: an object for each load, in the order of measuring: {@code round} (from 1),
 *       {@code allocator}, {@code requests}, {@code seconds}, {@code errors}, {@code cpuSeconds}
 *       (null if unknown) and a field for each {@link Figure}
 *   <li>{@code summary}: an object for each figure and allocator: {@code figure}, {@code
 *       allocator}, {@code values} and {@code ratios}, which are null or have {@code median},
 *       {@code min} and {@code max}; {@link Summary} says what a ratio is. It follows from the
 *       rounds, and is there for other programs
 * </ul>
 *
 * @param setup what it was measured with
 * @param load the same for all servers
 * @param rounds in the order of measuring
 */
public record EndToEndResults(Setup setup, LoadDescription load, List<Round> rounds) {
  private static final FileFormat FORMAT = new FileFormat("mimalloc4j end-to-end 1");

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().serializeNulls().disableHtmlEscaping().create();

  /** Whether a file's content is one of these. */
  public static boolean isIn(JsonElement json) {
    return FORMAT.isIn(json);
  }

  /** Reads a file's content. */
  public static EndToEndResults read(JsonObject json) {
    List<Round> rounds = new ArrayList<>();
    for (JsonElement round : json.getAsJsonArray("rounds")) {
      rounds.add(Round.read(round.getAsJsonObject()));
    }
    if (rounds.isEmpty()) {
      throw new JsonParseException("no rounds in it");
    }
    return new EndToEndResults(
        Setup.read(json), LoadDescription.read(json.getAsJsonObject("load")), rounds);
  }

  /** The content of a file. */
  String toJson() {
    JsonObject json = FORMAT.begin(setup);
    json.add("load", load.toJson());
    json.add("rounds", array(rounds.stream().map(Round::toJson).toList()));
    json.add("summary", array(Summary.of(rounds).stream().map(EndToEndResults::summary).toList()));
    return GSON.toJson(json) + '\n';
  }

  private static JsonObject summary(Summary summary) {
    Spread values = summary.values();
    Ratio ratio = summary.ratio();
    JsonObject json = new JsonObject();
    json.addProperty("figure", summary.figure().field());
    json.addProperty("allocator", summary.allocator().optionName());
    json.add("values", GSON.toJsonTree(values));
    json.add(
        "ratios",
        GSON.toJsonTree(
            ratio == null ? null : new Spread(ratio.middle(), ratio.low(), ratio.high())));
    return json;
  }

  private static JsonArray array(List<JsonObject> elements) {
    JsonArray array = new JsonArray();
    elements.forEach(array::add);
    return array;
  }
}
