package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/**
 * What a server's {@code /stats} tell, in bytes.
 *
 * @param used what the allocator holds, direct and heap
 * @param resident what the process has in the machine's memory; null where the system does not tell
 */
record ServerMemory(long used, @Nullable Long resident) {
  /** Reads the answer of {@code /stats}. */
  static ServerMemory parse(String json) {
    JsonObject stats = JsonParser.parseString(json).getAsJsonObject();
    JsonElement resident = stats.get("rss");
    return new ServerMemory(
        used(stats, "direct") + used(stats, "heap"),
        resident.isJsonNull() ? null : resident.getAsLong());
  }

  private static long used(JsonObject stats, String kind) {
    return stats.getAsJsonObject(kind).get("used").getAsLong();
  }

  /** The larger of each measure. */
  ServerMemory max(ServerMemory other) {
    Long most = resident;
    if (most == null || (other.resident != null && other.resident > most)) {
      most = other.resident;
    }
    return new ServerMemory(Math.max(used, other.used), most);
  }
}
