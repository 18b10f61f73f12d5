package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/1.1 that checks all answers, which come in the order of the requests. It
 * belongs to its event loop.
 *
 * <p>The JDK's client would be shorter, but it sends some requests again when a connection is lost,
 * which is an error here.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class Http1Client extends OrderedClient<HttpObject> {
  /**
   * A request, and the content of its answer. No buffer is ever released or changed.
   *
   * @param body of a POST; null of a GET
   */
  record Exchange(String path, @Nullable ByteBuf body, ByteBuf answer) {}

  private final Supplier<Exchange> exchanges;
  private final Queue<ByteBuf> expected = new ArrayDeque<>();

  /** Of the first expected answer. */
  private int received;

  /** What is wrong with it, as far as it has come. */
  private @Nullable String wrong;

  private Http1Client(Supplier<Exchange> exchanges) {
    this.exchanges = exchanges;
  }

  /**
   * Connects to a server of this machine.
   *
   * @param exchanges gives what is to be sent next
   * @param closed is run when the connection is closed, or there will be none
   */
  static Http1Client connect(
      EventLoop loop, int port, boolean tls, Supplier<Exchange> exchanges, Runnable closed)
      throws IOException, InterruptedException {
    @Nullable SslContext ssl = tls ? Tls.client() : null;
    Http1Client client = new Http1Client(exchanges);
    ClientChannel.connect(
        loop,
        port,
        channel -> {
          channel.closeFuture().addListener(future -> closed.run());
          client.addTo(channel, ssl);
        },
        Tls::handshake);
    return client;
  }

  private void addTo(Channel channel, @Nullable SslContext ssl) {
    if (ssl != null) {
      channel.pipeline().addLast(ssl.newHandler(channel.alloc()));
    }
    channel.pipeline().addLast(new HttpClientCodec(), this);
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    Exchange exchange = exchanges.get();
    expected.add(exchange.answer());
    ctx.write(request(exchange.path(), exchange.body()));
  }

  private static FullHttpRequest request(String path, @Nullable ByteBuf body) {
    FullHttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            body == null ? HttpMethod.GET : HttpMethod.POST,
            path,
            body == null ? Unpooled.EMPTY_BUFFER : body.duplicate());
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    if (body != null) {
      request.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    }
    return request;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    @Nullable ByteBuf first = expected.peek();
    if (message.decoderResult().isFailure()) {
      breakOff("an answer that is not HTTP: " + message.decoderResult().cause());
    } else if (first == null) {
      breakOff("an answer without a pending request");
    } else {
      check(message, first);
    }
  }

  private void check(HttpObject message, ByteBuf first) {
    if (message instanceof HttpResponse response) {
      require(
          response.status().equals(HttpResponseStatus.OK), "status " + response.status().code());
    }
    if (message instanceof HttpContent content) {
      int length = content.content().readableBytes();
      require(isExpected(content.content(), length, first), "an answer with the wrong content");
      received += length;
    }
    if (message instanceof LastHttpContent) {
      int all = first.readableBytes();
      require(received == all, "an answer of " + received + " bytes instead of " + all);
      @Nullable String error = wrong;
      received = 0;
      wrong = null;
      expected.remove();
      answered(error);
    }
  }

  /** By the JDK, which compares vectors: an answer may be a mebibyte. */
  private boolean isExpected(ByteBuf part, int length, ByteBuf whole) {
    return length <= whole.readableBytes() - received
        && part.nioBuffer().equals(whole.nioBuffer(whole.readerIndex() + received, length));
  }

  /** Keeps the first error of an answer. */
  private void require(boolean condition, String error) {
    if (wrong == null && !condition) {
      wrong = error;
    }
  }
}
