package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workload;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.CompilerThreads;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.result.Records;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server of a workload with one allocator, in a JVM of its own, on free ports. */
final class ServerProcess implements AutoCloseable {
  /**
   * The collector is named, because the JVM chooses another one on small machines. The heap is far
   * larger than what lives in it: with 256 MiB, half of the processor time of {@code resp:lrange}
   * was that of the collector. All of it is resident from the start, or what is resident would tell
   * how far each server's has grown. Leak detection is at its default, as in production.
   */
  private static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          ForkOptions.HEAP_MIN,
          ForkOptions.HEAP_MAX,
          ForkOptions.HEAP_TOUCHED,
          "-XX:MaxDirectMemorySize=2g",
          CompilerThreads.FIXED_NUMBER);

  private static final Pattern LISTENING =
      Pattern.compile(
          Pattern.quote(ApplicationServerCommand.LISTENING) + "(\\d+), statistics on (\\S+)");

  private static final int START_SECONDS = 60;
  private static final Duration STATISTICS_PATIENCE = Duration.ofSeconds(30);

  private record Address(int port, URI statistics) {}

  private final String allocator;
  private final HttpClient client = HttpClient.newHttpClient();
  private final CompletableFuture<Address> listening = new CompletableFuture<>();
  private final ChildProcess child;

  private ServerProcess(
      Workload workload, String allocator, Transport transport, int eventLoops, List<String> flags)
      throws IOException {
    this.allocator = allocator;
    List<String> arguments =
        List.of(
            "--app",
            workload.name(),
            "--allocator",
            allocator,
            "--transport",
            transport.optionName(),
            "--event-loops",
            String.valueOf(eventLoops));
    List<String> all = new ArrayList<>(flags);
    all.addAll(DefaultAllocator.flags(AllocatorSource.named(allocator)));
    child =
        ChildProcess.startJvm(
            allocator, all, ApplicationServerCommand.class, arguments, this::isListening);
  }

  /** This JVM's and ours. */
  static List<String> defaultFlags() {
    return ChildProcess.flags(FLAGS);
  }

  /**
   * Starts a server, and waits until it listens.
   *
   * @param allocator the name of one
   * @param flags of the JVM
   */
  static ServerProcess start(
      Workload workload, String allocator, Transport transport, int eventLoops, List<String> flags)
      throws IOException, InterruptedException {
    ServerProcess server = new ServerProcess(workload, allocator, transport, eventLoops, flags);
    try {
      server.awaitListening();
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  private boolean isListening(String line) {
    Matcher told = LISTENING.matcher(line);
    return told.matches()
        && listening.complete(
            new Address(Integer.parseInt(told.group(1)), URI.create(told.group(2))));
  }

  private void awaitListening() throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(listening, child.ended()).get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Said below, in the same words as an end without listening.
    }
    if (!listening.isDone()) {
      throw new IOException(
          "the JVM for " + allocator + " did not start listening\n" + child.output());
    }
  }

  /** The allocator's name. */
  String allocator() {
    return allocator;
  }

  /** The application's, on the loopback address. */
  int port() {
    return listening.join().port();
  }

  ServerStatistics statistics() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(listening.join().statistics()).timeout(STATISTICS_PATIENCE).build();
    HttpResponse<String> response;
    try {
      response = client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      requireHealthy(); // says more if that is the reason
      throw new IOException("the server with " + allocator + " tells no statistics: " + e, e);
    }
    if (response.statusCode() != 200) {
      throw new IOException("HTTP status of the server's statistics: " + response.statusCode());
    }
    return Records.JSON.fromJson(response.body(), ServerStatistics.class);
  }

  /** Fails if the server has ended, or if Netty has found a buffer that was not released. */
  void requireHealthy() throws IOException {
    boolean leak = child.output().contains("LEAK");
    if (leak || !child.process().isAlive()) {
      throw new IOException(
          "the server with "
              + allocator
              + (leak ? " leaked\n" : " ended unexpectedly\n")
              + child.output());
    }
  }

  @Override
  public void close() {
    child.close();
  }
}
