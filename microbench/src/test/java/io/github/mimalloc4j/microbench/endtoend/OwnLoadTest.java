package io.github.mimalloc4j.microbench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.http.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The own client: no errors with a sound server, and each fault of an unsound one is found. */
@Timeout(120)
class OwnLoadTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void soundServerHasNoErrors(boolean tls) throws Exception {
    try (HttpServer server =
        HttpServer.start(new HttpServer.Config(AllocatorKind.MIMALLOC, "127.0.0.1", 0, tls))) {
      LoadResult result = OwnLoad.run(URI.create(server.url()), 4, SHORT);

      assertThat(result.firstError()).isNull();
      assertThat(result.errors()).isZero();
      assertThat(result.seconds()).isEqualTo(1);
      LoadResult.Latency latency = result.latency();
      assertThat(new Double[] {latency.p50(), latency.p90(), latency.p99(), latency.p999()})
          .isSorted();
      assertThat(latency.max()).isGreaterThanOrEqualTo(latency.p999());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 500 Oops;content-length: 0;; | status 500",
        "HTTP/1.1 200 OK;content-length: 13;;Hello, Wor1d! | an answer with the wrong content",
        "HTTP/1.1 200 OK;content-length: 14;;Hello, World!! | an answer with the wrong content",
        "HTTP/1.1 200 OK;content-length: 5;;Hello | an answer of 5 bytes instead of 13",
        "HTTP/1.1 200 OK;content-length: 13;;Hello | connection lost",
        "nonsense; | an answer that is not HTTP",
      })
  void faultIsFound(String answer, String error) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> answerOnce(listener, answer.replace(";", "\r\n")));
      server.start();
      URI uri = URI.create("http://127.0.0.1:" + listener.getLocalPort());

      LoadResult result = OwnLoad.run(uri, 1, SHORT);

      server.join();
      assertThat(result.errors()).isPositive();
      assertThat(result.firstError()).startsWith(error);
      assertThat(result.requests()).isZero();
    }
  }

  private static void answerOnce(ServerSocket listener, String answer) {
    try (Socket socket = listener.accept()) {
      InputStream in = socket.getInputStream();
      assertThat(in.read(new byte[1024])).isPositive();
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nobodyThereIsSaid() throws Exception {
    int free;
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = listener.getLocalPort();
    }
    URI uri = URI.create("http://127.0.0.1:" + free);

    assertThatThrownBy(() -> OwnLoad.run(uri, 2, SHORT))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot connect to " + uri);
  }
}
