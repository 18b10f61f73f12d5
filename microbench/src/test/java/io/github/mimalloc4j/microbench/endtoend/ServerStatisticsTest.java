package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.result.Records;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServerStatisticsTest {
  private static final int BYTES = 64 << 20;

  /** A thread of a pool ends when it was idle for a while, perhaps under the next load. */
  @Test
  void theGarbageOfAThreadThatHasEndedStillCounts() throws Exception {
    AllocatorSource source = AllocatorSource.named("unpooled");
    HttpServer server = ServerStatistics.serve(source, source.create());
    try {
      CountDownLatch allocated = new CountDownLatch(1);
      CountDownLatch looked = new CountDownLatch(1);
      byte[][] kept = new byte[1][];
      Thread thread =
          new Thread(
              () -> {
                kept[0] = new byte[BYTES];
                allocated.countDown();
                try {
                  looked.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      allocated.await();
      long alive = garbage(server);
      looked.countDown();
      thread.join();

      assertThat(alive).isGreaterThanOrEqualTo(BYTES);
      assertThat(garbage(server)).isGreaterThanOrEqualTo(alive);
      assertThat(kept[0]).hasSize(BYTES);
    } finally {
      server.stop(0);
    }
  }

  private static long garbage(HttpServer server) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    String body =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
            .body();
    return Records.JSON.fromJson(body, ServerStatistics.class).garbage();
  }
}
