package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The servers speak their protocols with the JDK's clients, too, which have no code of Netty's. */
@Timeout(60)
class OtherClientsTest {
  private final HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();

  private static SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
      return context;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void manyStreamsOfHttp2OverTls() throws Exception {
    try (Server server = start("http2:tls")) {
      List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String path = i % 2 == 0 ? Http2Application.SMALL_PATH : Http2Application.LARGE_PATH;
        answers.add(client.sendAsync(get(server, path + "?" + i), BodyHandlers.ofByteArray()));
      }
      for (int i = 0; i < answers.size(); i++) {
        HttpResponse<byte[]> answer = answers.get(i).get();
        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        assertThat(answer.statusCode()).isEqualTo(200);
        int bytes = i % 2 == 0 ? Http2Application.SMALL_BYTES : Http2Application.LARGE_BYTES;
        assertThat(answer.body()).isEqualTo(Content.message(i, bytes));
      }
    }
  }

  @Test
  void unknownPathsAreNotFound() throws Exception {
    for (String name : List.of("http2:tls", "tls:download")) {
      try (Server server = start(name)) {
        HttpResponse<Void> answer = client.send(get(server, "/unknown"), BodyHandlers.discarding());
        assertThat(answer.statusCode()).isEqualTo(404);
      }
    }
  }

  @Test
  void downloadsOverTls() throws Exception {
    try (Server server = start("tls:download")) {
      for (int file : new int[] {0, DownloadApplication.FILES - 1}) {
        HttpResponse<byte[]> answer =
            client.send(get(server, "/" + file), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(DownloadApplication.file(file).readAllBytes());
      }
    }
  }

  @Test
  void roomOfWebSockets() throws Exception {
    try (Server server = start("websocket:plain")) {
      Member first = new Member();
      Member second = new Member();
      join(server, first).sendText("first", true).get();
      assertThat(first.messages.poll(30, TimeUnit.SECONDS)).as("is in the room").isEqualTo("first");
      WebSocket sender = join(server, second);
      ByteBuf message = Unpooled.wrappedBuffer(Content.message(7, 500));
      String text = message.toString(StandardCharsets.US_ASCII);

      sender.sendText(text, true).get();
      assertThat(first.messages.poll(30, TimeUnit.SECONDS)).isEqualTo(text);
      assertThat(second.messages.poll(30, TimeUnit.SECONDS)).isEqualTo(text);
      sender.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
      assertThat(second.closed.get(30, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
    }
  }

  private WebSocket join(Server server, Member member) throws Exception {
    URI uri = URI.create("ws://127.0.0.1:" + server.port() + WebSocketApplication.PATH);
    return client.newWebSocketBuilder().buildAsync(uri, member).get();
  }

  private static final class Member implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        messages.add(text.toString());
        text.setLength(0);
      }
      return WebSocket.Listener.super.onText(socket, part, last);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      closed.complete(status);
      return null;
    }
  }

  private static HttpRequest get(Server server, String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path)).build();
  }

  private static Server start(String name) throws Exception {
    Environment environment = new Environment(ByteBufAllocator.DEFAULT, Transport.NIO, 2);
    return Workloads.named(name).get(0).server().start(environment);
  }
}
