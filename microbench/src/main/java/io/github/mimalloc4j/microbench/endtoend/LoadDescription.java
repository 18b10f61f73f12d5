package io.github.mimalloc4j.microbench.endtoend;

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
