package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.JsonObject;

/**
 * What all servers of a run were loaded with.
 *
 * @param tool that made the load: own, wrk or h2load
 * @param work the requests in words
 * @param seconds of one load
 * @param rounds that count
 * @param warmup rounds before those
 * @param connections at a time
 * @param tls whether over TLS
 */
record LoadDescription(
    String tool, String work, long seconds, int rounds, int warmup, int connections, boolean tls) {

  static LoadDescription of(EndToEndOptions options) {
    return new LoadDescription(
        options.tool().optionName(),
        options.tool().work(),
        options.time().toSeconds(),
        options.rounds(),
        options.warmup(),
        options.connections(),
        options.tls());
  }

  static LoadDescription read(JsonObject json) {
    return new LoadDescription(
        json.get("tool").getAsString(),
        json.get("work").getAsString(),
        json.get("seconds").getAsLong(),
        json.get("rounds").getAsInt(),
        json.get("warmup").getAsInt(),
        json.get("connections").getAsInt(),
        json.get("tls").getAsBoolean());
  }

  JsonObject toJson() {
    JsonObject json = new JsonObject();
    json.addProperty("tool", tool);
    json.addProperty("work", work);
    json.addProperty("seconds", seconds);
    json.addProperty("rounds", rounds);
    json.addProperty("warmup", warmup);
    json.addProperty("connections", connections);
    json.addProperty("tls", tls);
    return json;
  }

  /** What tells one load from another, in a few words. */
  String brief() {
    return "%s, %d connections%s".formatted(tool, connections, tls ? " over TLS" : "");
  }

  /** All of it for people. */
  String text() {
    return "Load: %s; %s. Rounds: %d of %d s for each server, after %d of warm-up."
        .formatted(brief(), work, rounds, seconds, warmup);
  }
}
