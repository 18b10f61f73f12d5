package io.github.mimalloc4j.microbench.endtoend;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that one run of the command found out.
 *
 * @param load the same for all servers
 * @param rounds in the order of measuring
 * @param summary all figures of all allocators; it follows from the rounds
 */
public record EndToEndResults(Setup setup, Load load, List<Round> rounds, List<Summary> summary) {
  public static final FileFormat<EndToEndResults> FORMAT =
      new FileFormat<>("mimalloc4j end-to-end 2", EndToEndResults.class, EndToEndReport::new);

  EndToEndResults(Setup setup, Load load, List<Round> rounds) {
    this(setup, load, rounds, Summary.of(rounds));
  }

  /**
   * What all servers of a run were loaded with.
   *
   * @param work the requests in words
   * @param seconds of one load
   * @param rounds that count
   * @param warmup rounds before those
   */
  record Load(
      String tool,
      String work,
      long seconds,
      int rounds,
      int warmup,
      int connections,
      boolean tls) {
    /** What tells one load from another, in a few words. */
    String brief() {
      return "%s, %d connections%s".formatted(tool, connections, tls ? " over TLS" : "");
    }

    String text() {
      return "Load: %s; %s. Rounds: %d of %d s for each server, after %d of warm-up."
          .formatted(brief(), work, rounds, seconds, warmup);
    }
  }

  /**
   * One load of one server.
   *
   * @param round from 0
   * @param cpuSeconds processor time of the server's process meanwhile, the compiler's and the
   *     collector's threads included; null where the system does not tell
   * @param peak the most memory that the server told meanwhile
   */
  record Round(
      int round,
      AllocatorKind allocator,
      LoadResult load,
      @Nullable Double cpuSeconds,
      Memory peak) {}

  /**
   * What a server's {@code /stats} tell, in bytes.
   *
   * @param used what the allocator holds, direct and heap
   * @param resident what the process has in the machine's memory; null where the system does not
   *     tell
   */
  record Memory(long used, @Nullable Long resident) {
    static Memory parse(String json) {
      JsonObject stats = JsonParser.parseString(json).getAsJsonObject();
      JsonElement resident = stats.get("rss");
      return new Memory(
          used(stats, "direct") + used(stats, "heap"),
          resident.isJsonNull() ? null : resident.getAsLong());
    }

    private static long used(JsonObject stats, String kind) {
      return stats.getAsJsonObject(kind).get("used").getAsLong();
    }

    Memory max(Memory other) {
      Long most = resident;
      if (most == null || (other.resident != null && other.resident > most)) {
        most = other.resident;
      }
      return new Memory(Math.max(used, other.used), most);
    }
  }
}
