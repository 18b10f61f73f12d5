package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.AllocatorKind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One load of one server.
 *
 * @param round from 0
 * @param allocator the server's
 * @param load what the client found
 * @param cpuSeconds processor time of the server's process meanwhile, the compiler's and the
 *     collector's threads included; null where the system does not tell
 * @param peak the most memory that the server told meanwhile
 */
record Round(
    int round,
    AllocatorKind allocator,
    LoadResult load,
    @Nullable Double cpuSeconds,
    ServerMemory peak) {
  private static final double MIB = 1 << 20;

  /** Reads what {@link #toJson} wrote; of errors only the number is there. */
  static Round read(JsonObject json) {
    return new Round(
        json.get("round").getAsInt() - 1,
        AllocatorKind.valueOf(json.get("allocator").getAsString().toUpperCase(Locale.ROOT)),
        new LoadResult(
            json.get("requests").getAsLong(),
            json.get("seconds").getAsDouble(),
            new LoadResult.Latency(
                required(json, Figure.P50),
                required(json, Figure.P90),
                required(json, Figure.P99),
                required(json, Figure.P999),
                required(json, Figure.MAX)),
            json.get("errors").getAsLong(),
            null),
        json.get("cpuSeconds").isJsonNull() ? null : json.get("cpuSeconds").getAsDouble(),
        new ServerMemory(
            bytes(required(json, Figure.USED)),
            json.get(Figure.RESIDENT.field()).isJsonNull()
                ? null
                : bytes(required(json, Figure.RESIDENT))));
  }

  private static double required(JsonObject json, Figure figure) {
    return json.get(figure.field()).getAsDouble();
  }

  private static long bytes(double mib) {
    return Math.round(mib * MIB);
  }

  /** What was measured, and each {@link Figure} of it. */
  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("round", round + 1);
    json.addProperty("allocator", allocator.optionName());
    json.addProperty("requests", load.requests());
    json.addProperty("seconds", load.seconds());
    json.addProperty("errors", load.errors());
    json.addProperty("cpuSeconds", cpuSeconds);
    for (Figure figure : Figure.values()) {
      json.addProperty(figure.field(), figure.of(this));
    }
    return json;
  }
}
