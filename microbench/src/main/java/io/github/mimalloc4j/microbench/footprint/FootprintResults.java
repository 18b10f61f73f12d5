package io.github.mimalloc4j.microbench.footprint;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.FileFormat;
import io.github.mimalloc4j.microbench.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * All that one run of the command found out. As a file it is a JSON object:
 *
 * <ul>
 *   <li>{@code format}; {@code jdkVersion}, {@code vmName}, {@code jvmArgs} (of the measured JVMs)
 *       and {@code environment} as in all results
 *   <li>{@code plan}: {@code burstBytes}, {@code phaseMillis}, {@code threads}
 *   <li>{@code samples}: for each allocator an array of samples, in the order of time. A sample is
 *       an array: microseconds since the run began, the phase, and bytes that were used, live, and
 *       resident (null if the system does not tell)
 * </ul>
 *
 * @param setup what it was measured with
 * @param plan what was asked for
 * @param samples of each allocator, in the order in which to show them
 */
public record FootprintResults(
    Setup setup, FootprintPlan plan, Map<AllocatorKind, List<Sample>> samples) {
  private static final FileFormat FORMAT = new FileFormat("mimalloc4j footprint 1");
  private static final String PLAN = "plan";
  private static final String SAMPLES = "samples";
  private static final String BURST_BYTES = "burstBytes";
  private static final String PHASE_MILLIS = "phaseMillis";
  private static final String THREADS = "threads";

  /** Without a line for each number, of which there are thousands. */
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  /** Whether a file's content is one of these. */
  public static boolean isIn(JsonElement json) {
    return FORMAT.isIn(json);
  }

  /** Reads a file's content. */
  public static FootprintResults read(JsonObject json) {
    JsonObject plan = json.getAsJsonObject(PLAN);
    Map<AllocatorKind, List<Sample>> samples = new LinkedHashMap<>();
    json.getAsJsonObject(SAMPLES)
        .entrySet()
        .forEach(
            entry ->
                samples.put(
                    AllocatorKind.valueOf(entry.getKey()),
                    samples(entry.getValue().getAsJsonArray())));
    if (samples.isEmpty()) {
      throw new JsonParseException("no samples in it");
    }
    return new FootprintResults(
        Setup.read(json),
        FootprintPlan.parse(
            plan.get(BURST_BYTES).getAsString(),
            plan.get(PHASE_MILLIS).getAsString(),
            plan.get(THREADS).getAsString()),
        samples);
  }

  private static List<Sample> samples(JsonArray json) {
    List<Sample> samples = new ArrayList<>();
    for (JsonElement element : json) {
      JsonArray sample = element.getAsJsonArray();
      JsonElement resident = sample.get(4);
      samples.add(
          new Sample(
              sample.get(0).getAsLong(),
              Phase.valueOf(sample.get(1).getAsString()),
              sample.get(2).getAsLong(),
              sample.get(3).getAsLong(),
              resident.isJsonNull()
                  ? OptionalLong.empty()
                  : OptionalLong.of(resident.getAsLong())));
    }
    return samples;
  }

  /** The content of a file. */
  String toJson() {
    JsonObject json = FORMAT.begin(setup);
    JsonObject planned = new JsonObject();
    planned.addProperty(BURST_BYTES, plan.burstBytes());
    planned.addProperty(PHASE_MILLIS, plan.phase().toMillis());
    planned.addProperty(THREADS, plan.threads());
    json.add(PLAN, planned);
    JsonObject all = new JsonObject();
    samples.forEach((allocator, own) -> all.add(allocator.name(), array(own)));
    json.add(SAMPLES, all);
    return GSON.toJson(json) + '\n';
  }

  private static JsonArray array(List<Sample> samples) {
    JsonArray all = new JsonArray();
    for (Sample sample : samples) {
      JsonArray array = new JsonArray();
      array.add(sample.micros());
      array.add(sample.phase().name());
      array.add(sample.used());
      array.add(sample.live());
      if (sample.resident().isPresent()) {
        array.add(sample.resident().getAsLong());
      } else {
        array.add(JsonNull.INSTANCE);
      }
      all.add(array);
    }
    return all;
  }
}
