package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.application.Environment;
import io.github.mimalloc4j.microbench.application.Server;
import io.github.mimalloc4j.microbench.application.Transport;
import io.github.mimalloc4j.microbench.application.Workloads;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A real server in a JVM of its own, with a client, recorded as a user would record it: by jcmd,
 * with the settings that the command {@code record} has written, while requests come in.
 */
final class RecordedServer {
  static final int REQUESTS = 200;
  private static final int LARGEST_BODY = 200_000;

  /** Long enough for two samples of the process's load, of which the first one is 0. */
  private static final long RECORDED_NANOS = TimeUnit.MILLISECONDS.toNanos(3500);

  private RecordedServer() {}

  /** The allocator, the settings, and the file of the recording. */
  public static void main(String[] args) throws Exception {
    AllocatorKind kind = AllocatorKind.valueOf(args[0]);
    ByteBufAllocator allocator = kind.create();
    Environment environment = new Environment(allocator, Transport.NIO, 2);
    try (Server server = Workloads.named("http:mix").get(0).server().start(environment)) {
      URI uri = URI.create("http://127.0.0.1:" + server.port());
      HttpClient client = HttpClient.newHttpClient();
      request(client, uri, REQUESTS / 4); // a warm server, with connections that are live before
      long beforeStart = allocationsAtRest(allocator);
      jcmd("JFR.start", "name=buffers", "settings=" + args[1], "filename=" + args[2]);
      long afterStart = allocations(allocator);
      long start = System.nanoTime();
      do {
        request(client, uri, REQUESTS);
      } while (System.nanoTime() - start < RECORDED_NANOS);
      long beforeStop = allocationsAtRest(allocator);
      jcmd("JFR.stop", "name=buffers");
      long afterStop = allocations(allocator);
      System.out.println(
          "allocations " + (beforeStop - afterStart) + " " + (afterStop - beforeStart));
    }
    System.exit(0);
  }

  /**
   * After the event loops have read once more, as they may when the client has its answer; but not
   * if the machine kept them from it.
   */
  private static long allocationsAtRest(ByteBufAllocator allocator) throws InterruptedException {
    long before;
    long now = allocations(allocator);
    do {
      before = now;
      TimeUnit.MILLISECONDS.sleep(300);
      now = allocations(allocator);
    } while (now != before);
    return now;
  }

  /** By its own counter; of other allocators, which have none, 0. */
  private static long allocations(ByteBufAllocator allocator) {
    return allocator instanceof MiMallocByteBufAllocator ours
        ? ours.metric().direct().counts().allocations()
            + ours.metric().heap().counts().allocations()
        : 0;
  }

  private static void request(HttpClient client, URI uri, int count)
      throws IOException, InterruptedException {
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      byte[] body = new byte[random.nextInt(LARGEST_BODY)];
      random.nextBytes(body);
      HttpRequest echo =
          HttpRequest.newBuilder(uri.resolve("/echo"))
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      HttpResponse<byte[]> answer = client.send(echo, BodyHandlers.ofByteArray());
      if (!Arrays.equals(answer.body(), body)) {
        throw new IOException("a wrong answer");
      }
    }
  }

  private static void jcmd(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
            String.valueOf(ProcessHandle.current().pid()));
    command.command().addAll(Arrays.asList(arguments));
    Process process = command.inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException("jcmd failed");
    }
  }
}
