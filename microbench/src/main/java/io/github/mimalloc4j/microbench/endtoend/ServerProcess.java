package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.http.HttpServerCommand;
import io.github.mimalloc4j.microbench.jvm.ChildProcess;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** The HTTP server with one allocator, in a JVM of its own, on a free port of this machine. */
final class ServerProcess implements AutoCloseable {
  /**
   * The collector is named, because the JVM chooses another one on small machines. All of the heap
   * is resident from the start, or what is resident would tell how far each server's has grown. Of
   * leak detection nothing is said: it is at its default, as in production.
   */
  private static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          "-Xms256m",
          "-Xmx256m",
          "-XX:+AlwaysPreTouch",
          "-XX:MaxDirectMemorySize=2g");

  private static final String LISTENING = "listening on ";
  private static final int START_SECONDS = 60;
  private static final Duration STATS_PATIENCE = Duration.ofSeconds(30);

  private final AllocatorKind allocator;
  private final HttpClient client = client();
  private final CompletableFuture<URI> listening = new CompletableFuture<>();
  private final ChildProcess child;

  private ServerProcess(AllocatorKind allocator, boolean tls, List<String> flags)
      throws IOException {
    this.allocator = allocator;
    String name = allocator.optionName();
    List<String> arguments = new ArrayList<>(List.of("--allocator", name, "--port", "0"));
    if (tls) {
      arguments.add("--tls");
    }
    child =
        ChildProcess.startJvm(name, flags, HttpServerCommand.class, arguments, this::isListening);
  }

  /** This JVM's and ours. */
  static List<String> defaultFlags() {
    return ChildProcess.flags(FLAGS);
  }

  static ServerProcess start(AllocatorKind allocator, boolean tls, List<String> flags)
      throws IOException, InterruptedException {
    ServerProcess server = new ServerProcess(allocator, tls, flags);
    try {
      server.awaitListening();
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  private static HttpClient client() throws IOException {
    try {
      SSLContext trusting = SSLContext.getInstance("TLS");
      trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(trusting)
          .build();
    } catch (GeneralSecurityException e) {
      throw new IOException("no TLS: " + e.getMessage(), e);
    }
  }

  private boolean isListening(String line) {
    return line.startsWith(LISTENING) && listening.complete(URI.create(line.split(" ", -1)[2]));
  }

  private void awaitListening() throws IOException, InterruptedException {
    try {
      CompletableFuture.anyOf(listening, child.ended()).get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // Said below, in the same words as an end without listening.
    }
    if (!listening.isDone()) {
      throw new IOException(
          "the JVM for " + allocator.optionName() + " did not start to listen\n" + child.output());
    }
  }

  AllocatorKind allocator() {
    return allocator;
  }

  /** Where it answers, without a path. */
  URI uri() {
    return listening.join();
  }

  /** Of the process so far; empty where the system does not tell. */
  Optional<Duration> cpuTime() {
    return child.process().info().totalCpuDuration();
  }

  EndToEndResults.Memory memory() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri().resolve("/stats")).timeout(STATS_PATIENCE).build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("/stats answered with status " + response.statusCode());
    }
    return EndToEndResults.Memory.parse(response.body());
  }

  /** Fails if the server has ended, or if Netty has found a buffer that was not released. */
  void requireHealthy() throws IOException {
    boolean leak = child.output().contains("LEAK");
    if (leak || !child.process().isAlive()) {
      throw new IOException(
          "the server with "
              + allocator.optionName()
              + (leak ? " leaked\n" : " ended by itself\n")
              + child.output());
    }
  }

  @Override
  public void close() {
    child.close();
  }
}
