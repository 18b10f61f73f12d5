package io.github.mimalloc4j.microbench.application;

import static io.github.mimalloc4j.microbench.Patience.await;
import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class HttpServerTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private ByteBufAllocator allocator;

  @ParameterizedTest
  @EnumSource
  void pipelinedRequestsAreAnsweredInOrder(AllocatorKind kind) throws Exception {
    try (Server server = start(kind);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String request = "GET /plaintext HTTP/1.1\r\nHost: x\r\n\r\n";
      String last = "GET /unknown HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      send(socket, request.repeat(100) + last);

      String responses = readAll(socket);
      assertThat(responses.split("Hello, World!", -1)).hasSize(101);
      assertThat(responses.indexOf("404 Not Found"))
          .isGreaterThan(responses.lastIndexOf("Hello, World!"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void echoReturnsTheBody(AllocatorKind kind) throws Exception {
    try (Server server = start(kind)) {
      for (int size : new int[] {0, 1, 64 << 10, HttpServer.MAX_BODY}) {
        byte[] body = randomBytes(size);

        HttpResponse<byte[]> response = post(server, BodyPublishers.ofByteArray(body));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).as("echo of %d bytes", size).isEqualTo(body);
      }
      awaitNothingPinned(kind);
    }
  }

  @ParameterizedTest
  @EnumSource
  void chunkedBodyIsEchoed(AllocatorKind kind) throws Exception {
    try (Server server = start(kind)) {
      byte[] body = randomBytes(1 << 20);

      HttpResponse<byte[]> response = post(server, chunked(body));
      assertThat(response.body()).isEqualTo(body);
      awaitNothingPinned(kind);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bodyAboveTheLimitIsRefused(AllocatorKind kind) throws Exception {
    try (Server server = start(kind)) {
      byte[] body = new byte[HttpServer.MAX_BODY + 1];

      assertThat(post(server, BodyPublishers.ofByteArray(body)).statusCode()).isEqualTo(413);
      assertThat(post(server, chunked(body)).statusCode()).isEqualTo(413);
      assertThat(get(server, "/plaintext").statusCode()).isEqualTo(200);
      awaitNothingPinned(kind);
    }
  }

  /** Only these tell how much of their memory is in use; the server's code is the same for all. */
  @ParameterizedTest
  @EnumSource(names = {"MIMALLOC", "POOLED"})
  void clientThatLeavesInTheMiddleOfABodyLeavesNothingBehind(AllocatorKind kind) throws Exception {
    try (Server server = start(kind)) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        send(socket, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
        socket.getOutputStream().write(randomBytes(500_000));
        await().until(() -> pinned(kind) >= 500_000);
      }
      awaitNothingPinned(kind);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MIMALLOC", "POOLED"})
  void clientThatDoesNotReadItsResponseLeavesNothingBehind(AllocatorKind kind) throws Exception {
    try (Server server = start(kind)) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        send(socket, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 16000000\r\n\r\n");
        socket.getOutputStream().write(randomBytes(16_000_000));
        assertThat(socket.getInputStream().read()).isEqualTo('H'); // the response has begun
        assertThat(pinned(kind)).as("what the socket does not take").isPositive();
      }
      awaitNothingPinned(kind);
    }
  }

  @ParameterizedTest
  @CsvSource({"/unknown, 404", "/plaintext?a=b, 200"})
  void statusTellsWhetherThePathIsKnown(String path, int status) throws Exception {
    try (Server server = start(AllocatorKind.POOLED)) {
      assertThat(get(server, path).statusCode()).isEqualTo(status);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NONSENSE\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon here\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnot hex\r\n\r\n",
      })
  void malformedRequestIsAnsweredAndTheConnectionClosed(String request) throws Exception {
    try (Server server = start(AllocatorKind.POOLED);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      send(socket, request);

      assertThat(readAll(socket)).startsWith("HTTP/1.1 400 ");
      awaitNothingPinned(AllocatorKind.POOLED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void speaksTls(AllocatorKind kind) throws Exception {
    try (Server server = start(kind, true)) {
      byte[] body = randomBytes(1 << 20);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/echo"))
              .POST(BodyPublishers.ofByteArray(body))
              .build();
      HttpClient trusting = HttpClient.newBuilder().sslContext(trusting()).build();

      HttpResponse<byte[]> response = trusting.send(request, BodyHandlers.ofByteArray());
      assertThat(response.sslSession()).isPresent();
      assertThat(response.body()).isEqualTo(body);
    }
  }

  @Test
  void closesTwiceAndEndsItsConnections() throws Exception {
    Server server = start(AllocatorKind.POOLED);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      send(socket, "GET /plaintext HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      server.close();
      server.close();
      assertThat(readAll(socket)).endsWith("Hello, World!");
    }
  }

  private Server start(AllocatorKind kind) throws IOException {
    return start(kind, false);
  }

  private Server start(AllocatorKind kind, boolean overTls) throws IOException {
    allocator = kind.create();
    return HttpServer.start(new Environment(allocator, Transport.NIO, 2), overTls);
  }

  private HttpResponse<byte[]> post(Server server, BodyPublisher body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(server, "/echo")).POST(body).build();
    return client.send(request, BodyHandlers.ofByteArray());
  }

  private HttpResponse<String> get(Server server, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(server, path)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static URI uri(Server server, String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private static BodyPublisher chunked(byte[] body) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
  }

  private static byte[] randomBytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String readAll(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }

  private void awaitNothingPinned(AllocatorKind kind) {
    await().untilAsserted(() -> assertThat(pinned(kind)).isZero());
  }

  /** Bytes of live buffers; 0 where the allocator does not tell. */
  private long pinned(AllocatorKind kind) {
    long sum = 0;
    for (BufferKind buffers : BufferKind.values()) {
      sum += requireNonNullElse(kind.pinnedBytes(allocator, buffers), 0L);
    }
    return sum;
  }

  private static SSLContext trusting() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    return context;
  }
}
