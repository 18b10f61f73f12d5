package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.application.Client;
import io.github.mimalloc4j.microbench.application.ExternalTool;
import io.github.mimalloc4j.microbench.application.LoadResult;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.command.Turns;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Measured;
import io.github.mimalloc4j.microbench.endtoend.EndToEndResults.Round;
import io.github.mimalloc4j.microbench.endtoend.ServerStatistics.Memory;
import io.github.mimalloc4j.microbench.jvm.Sampler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of one workload. A round starts a fresh server for each allocator, warms all of them
 * up equally long, loads each in a closed loop, and then each at the same fixed rate. One at a time
 * is loaded, in an order that changes from round to round; the others are idle. Before all rounds,
 * our client is warmed up with a server that is not measured.
 */
final class Measurement {
  /**
   * The rate at which latency is measured, as a part of what the slowest server without errors
   * sustained.
   */
  private static final double FIXED = 0.5;

  private static final Duration SAMPLING = Duration.ofMillis(200);

  /** One part in so many of a warm-up is at a fixed rate: the client's code has to be warm too. */
  private static final int WARMUP_PARTS = 3;

  /**
   * How to measure.
   *
   * @param allocators the names
   * @param connections of each load
   * @param tool makes the load of the closed loop; null for our client
   * @param time of each load
   * @param warmup before those, at most
   * @param flags of the servers' JVMs
   */
  record Plan(
      Workload workload,
      List<String> allocators,
      Transport transport,
      int eventLoops,
      int connections,
      @Nullable ExternalTool tool,
      Duration time,
      Duration warmup,
      List<String> flags) {
    /** How long the loads of some rounds take at most. */
    Duration time(int rounds) {
      Duration round = time.multipliedBy(2).plus(warmup).multipliedBy(allocators.size());
      return round.multipliedBy(rounds).plus(warmup); // the client's
    }
  }

  /** Is told before each load, and how long that will take. */
  @FunctionalInterface
  interface Listener {
    void loading(String allocator, String load, Duration time);
  }

  @FunctionalInterface
  interface Load {
    LoadResult run() throws IOException, InterruptedException;
  }

  /** A load by our client on open connections. */
  @FunctionalInterface
  private interface OwnLoad {
    LoadResult run(List<Client> clients) throws InterruptedException;
  }

  /** A server of a round, and what is known of it so far. */
  private static final class Subject {
    private final ServerProcess server;

    /** The most requests per second that our client reached in a step of the warm-up. */
    private double expectedRate;

    private @Nullable Measured closed;

    Subject(ServerProcess server) {
      this.server = server;
    }

    Measured closed() {
      return Objects.requireNonNull(closed);
    }
  }

  private final Plan plan;
  private final Listener listener;

  Measurement(Plan plan, Listener listener) {
    this.plan = plan;
    this.listener = listener;
  }

  /**
   * Measures each allocator once.
   *
   * @param number of the round, from 0
   * @throws IOException if a server did not start, ended, leaked, or answered nothing or wrongly in
   *     its warm-up
   */
  List<Round> round(int number) throws IOException, InterruptedException {
    if (number == 0) {
      warmUpClient();
    }
    List<ServerProcess> servers = new ArrayList<>();
    try {
      for (String allocator : Turns.of(plan.allocators(), number)) {
        servers.add(start(allocator));
      }
      return measure(number, servers.stream().map(Subject::new).toList());
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private ServerProcess start(String allocator) throws IOException, InterruptedException {
    return ServerProcess.start(
        plan.workload(), allocator, plan.transport(), plan.eventLoops(), plan.flags());
  }

  /** A cold client makes fewer requests, so that the first server would be colder than others. */
  private void warmUpClient() throws IOException, InterruptedException {
    try (ServerProcess server = start(plan.allocators().get(0))) {
      warmUp(List.of(new Subject(server)));
    }
  }

  private List<Round> measure(int number, List<Subject> subjects)
      throws IOException, InterruptedException {
    warmUp(subjects);
    double expected = subjects.stream().mapToDouble(each -> each.expectedRate).max().orElse(0);
    for (Subject subject : subjects) {
      listener.loading(subject.server.allocator(), "closed loop", plan.time());
      subject.closed = closedLoop(subject.server, expected).measured();
    }
    double rate = FIXED * leastSustainedRate(subjects);
    List<Round> rounds = new ArrayList<>();
    for (Subject subject : subjects) {
      listener.loading(subject.server.allocator(), "fixed rate", plan.time());
      Found fixed = measured(subject.server, fixedRate(rate, plan.time()));
      rounds.add(
          new Round(
              plan.workload().name(),
              number,
              subject.server.allocator(),
              subject.closed(),
              rate,
              fixed.measured(),
              Objects.requireNonNull(fixed.result().timing())));
    }
    return rounds;
  }

  private void warmUp(List<Subject> subjects) throws IOException, InterruptedException {
    WarmUp.run(
        plan.warmup(),
        subjects.stream().<WarmUp.Step>map(subject -> time -> warmUp(subject, time)).toList());
  }

  /** With our client, which checks the answers whatever makes the load later. */
  private boolean warmUp(Subject subject, Duration time) throws IOException, InterruptedException {
    ServerProcess server = subject.server;
    listener.loading(server.allocator(), "warm-up", time);
    ServerStatistics before = server.statistics();
    Duration atFixedRate = time.dividedBy(WARMUP_PARTS);
    LoadResult result = connected(server, ownClosedLoop(time.minus(atFixedRate)));
    requireCorrect(server, result);
    double rate = result.requests() / result.seconds();
    subject.expectedRate = Math.max(subject.expectedRate, rate); // the last step may be short
    requireCorrect(server, connected(server, fixedRate(rate * FIXED, atFixedRate)));
    return server.statistics().compilersRestedSince(before);
  }

  private static void requireCorrect(ServerProcess server, LoadResult result) throws IOException {
    requireAnswers(server, result);
    if (result.errors() > 0) {
      throw new IOException(
          "%d errors in the warm-up of %s; the first: %s"
              .formatted(result.errors(), server.allocator(), result.firstError()));
    }
  }

  /** Of the servers without errors, if there are any. */
  private double leastSustainedRate(List<Subject> subjects) {
    return subjects.stream()
        .filter(subject -> subject.closed().errors() == 0)
        .mapToDouble(this::sustainedRate)
        .min()
        .orElseGet(() -> subjects.stream().mapToDouble(this::sustainedRate).min().orElse(0));
  }

  /** Requests a second; beside a tool our client, which keeps the rate, may be the slower one. */
  private double sustainedRate(Subject subject) {
    double closed = subject.closed().rate();
    return plan.tool() == null ? closed : Math.min(closed, subject.expectedRate);
  }

  /**
   * Loads a server as fast as it answers.
   *
   * @param expected requests a second, the same for all servers: a tool that counts them makes as
   *     many with each
   */
  private Found closedLoop(ServerProcess server, double expected)
      throws IOException, InterruptedException {
    @Nullable ExternalTool tool = plan.tool();
    return tool == null
        ? measured(server, ownClosedLoop(plan.time()))
        : measured(
            server,
            () ->
                ToolLoad.run(
                    tool,
                    server.port(),
                    plan.connections(),
                    plan.workload().pipelined(),
                    expected,
                    plan.time()));
  }

  private OwnLoad ownClosedLoop(Duration time) {
    return clients -> ClosedLoop.run(clients, plan.workload().pipelined(), time);
  }

  private OwnLoad fixedRate(double rate, Duration time) {
    return clients -> OpenLoop.run(clients, plan.workload().pipelined(), rate, time);
  }

  private LoadResult connected(ServerProcess server, OwnLoad load)
      throws IOException, InterruptedException {
    try (Connections connections = connect(server)) {
      return connections.checked(load.run(connections.clients()));
    }
  }

  /**
   * Measures a load by our client without what connecting and disconnecting take. What the server
   * does wrong then is an error, too.
   */
  private Found measured(ServerProcess server, OwnLoad load)
      throws IOException, InterruptedException {
    ServerStatistics first = server.statistics();
    Seen seen;
    try (Connections connections = connect(server)) {
      seen = look(server, () -> connections.checked(load.run(connections.clients())));
    }
    return found(server, first, seen);
  }

  private Connections connect(ServerProcess server) throws IOException, InterruptedException {
    try {
      return Connections.open(plan.workload().client(), server.port(), plan.connections());
    } catch (IOException e) {
      server.requireHealthy(); // Says more if that is the reason.
      throw e;
    }
  }

  record Found(LoadResult result, Measured measured) {}

  /**
   * Puts a server under a load.
   *
   * @throws IOException if the server ended, leaked or answered nothing
   */
  static Found measured(ServerProcess server, Load load) throws IOException, InterruptedException {
    Seen seen = look(server, load);
    return found(server, seen.before, seen);
  }

  /** What was seen of a load, and of the server before and after it. */
  private record Seen(
      LoadResult result, ServerStatistics before, ServerStatistics after, Memory peak) {}

  private static Seen look(ServerProcess server, Load load)
      throws IOException, InterruptedException {
    ServerStatistics before = server.statistics();
    try (Sampler<Memory> sampler =
        new Sampler<>(SAMPLING, micros -> server.statistics().memory())) {
      LoadResult result = load.run();
      Memory peak = sampler.take().stream().reduce(Memory::max).orElseThrow();
      return new Seen(result, before, server.statistics(), peak);
    } catch (IOException e) {
      server.requireHealthy(); // Says more if that is the reason.
      throw e;
    }
  }

  /** Adds an error if the server has failed since a time, and fails if it is not healthy. */
  private static Found found(ServerProcess server, ServerStatistics first, Seen seen)
      throws IOException, InterruptedException {
    requireAnswers(server, seen.result);
    LoadResult result = server.statistics().withFailuresSince(first, seen.result);
    return new Found(
        result,
        new Measured(
            result.requests(),
            result.seconds(),
            result.errors(),
            result.firstError(),
            seconds(difference(seen.before.cpuNanos(), seen.after.cpuNanos())),
            seconds(difference(seen.before.compilerNanos(), seen.after.compilerNanos())),
            difference(seen.before.garbage(), seen.after.garbage()),
            seen.peak));
  }

  private static @Nullable Long difference(@Nullable Long before, @Nullable Long after) {
    return before == null || after == null ? null : Long.valueOf(after - before);
  }

  private static @Nullable Double seconds(@Nullable Long nanos) {
    return nanos == null ? null : nanos / 1e9;
  }

  private static void requireAnswers(ServerProcess server, LoadResult result) throws IOException {
    server.requireHealthy();
    if (result.requests() == 0) {
      throw new IOException(
          "%s answered no requests: %s"
              .formatted(
                  server.allocator(),
                  result.errors() == 0 ? "the time was too short" : result.firstError()));
    }
  }
}
