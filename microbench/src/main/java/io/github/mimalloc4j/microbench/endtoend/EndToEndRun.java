package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.command.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the servers and loads them, round by round. */
final class EndToEndRun {
  private final EndToEndOptions options;
  private final Load load;
  private final Progress progress;

  private EndToEndRun(EndToEndOptions options, Progress progress) {
    this.options = options;
    this.load = options.tool().load();
    this.progress = progress;
  }

  /** Runs; the result is in the order of measuring. */
  static List<Round> run(EndToEndOptions options, List<String> flags, Progress progress)
      throws IOException, InterruptedException {
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (AllocatorKind allocator : options.allocators()) {
        servers.add(ServerProcess.start(allocator, options.tls(), flags));
      }
      return new EndToEndRun(options, progress).measure(servers);
    } finally {
      progress.done();
      servers.forEach(ServerProcess::close);
    }
  }

  private List<Round> measure(List<ServerProcess> servers)
      throws IOException, InterruptedException {
    List<Round> measured = new ArrayList<>();
    int left = (options.warmup() + options.rounds()) * servers.size();
    for (int round = -options.warmup(); round < options.rounds(); round++) {
      for (ServerProcess server : rotated(servers, round)) {
        String which =
            round < 0 ? "warm-up" : "round %d of %d".formatted(round + 1, options.rounds());
        progress.show(
            which + ", " + server.allocator().optionName(), options.time().multipliedBy(left--));
        Round result = measure(server, round);
        if (round >= 0) {
          measured.add(result);
        } else if (result.load().errors() > 0) {
          throw new IOException(
              "%d errors in the warm-up of %s, the first: %s"
                  .formatted(
                      result.load().errors(),
                      server.allocator().optionName(),
                      result.load().firstError()));
        }
      }
    }
    return measured;
  }

  /** The order of a round: each goes first in its turn. Rounds below 0 are the warm-up. */
  static <T> List<T> rotated(List<T> all, int round) {
    int first = Math.floorMod(round, all.size());
    List<T> order = new ArrayList<>(all.subList(first, all.size()));
    order.addAll(all.subList(0, first));
    return order;
  }

  private Round measure(ServerProcess server, int round) throws IOException, InterruptedException {
    LoadResult result;
    Optional<Duration> before = server.cpuTime();
    Optional<Duration> after;
    ServerMemory peak;
    try (MemorySampler sampler = new MemorySampler(server::memory)) {
      result = load.run(server.uri(), options.connections(), options.time());
      after = server.cpuTime();
      peak = sampler.peak();
    } catch (IOException e) {
      server.requireHealthy(); // Says more if that is the reason.
      throw e;
    }
    server.requireHealthy();
    if (result.requests() == 0 && round >= 0) {
      throw new IOException(
          "no request was answered in %d s by %s: %s"
              .formatted(
                  options.time().toSeconds(),
                  server.allocator().optionName(),
                  result.errors() == 0 ? "too short a time" : result.firstError()));
    }
    Double cpuSeconds =
        before.isPresent() && after.isPresent()
            ? after.get().minus(before.get()).toNanos() / 1e9
            : null;
    return new Round(round, server.allocator(), result, cpuSeconds, peak);
  }
}
