package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpScheme;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection of many streams, without a channel for each. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails ends its stream.
final class Http2Client extends Http2ChannelDuplexHandler implements Client {
  private final HttpScheme scheme;
  private final Map<Http2FrameStream, Exchange> underWay = new HashMap<>();
  private long stamp = Content.firstStamp();
  private @Nullable ChannelHandlerContext context;

  /** Why there are no more answers. */
  private @Nullable String lost;

  private Http2Client(HttpScheme scheme) {
    this.scheme = scheme;
  }

  static Http2Client connect(EventLoop loop, int port, boolean overTls)
      throws IOException, InterruptedException {
    Http2Client client = new Http2Client(overTls ? HttpScheme.HTTPS : HttpScheme.HTTP);
    SslContext tls = overTls ? Tls.client(ApplicationProtocolNames.HTTP_2) : null;
    ClientChannel.connect(loop, port, channel -> client.addTo(channel, tls), Tls::handshake);
    return client;
  }

  private void addTo(Channel channel, @Nullable SslContext tls) {
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    Http2FrameCodecBuilder codec =
        Http2FrameCodecBuilder.forClient()
            // More streams than the server allows wait for others to end.
            .encoderEnforceMaxConcurrentStreams(true)
            // To close does not wait for answers.
            .gracefulShutdownTimeoutMillis(0);
    channel.pipeline().addLast(codec.build()).addLast(this);
  }

  private static final class Exchange {
    final Completion completion;
    final long stamp;
    final int bytes;
    int received;
    @Nullable String error;

    Exchange(Completion completion, long stamp, int bytes) {
      this.completion = completion;
      this.stamp = stamp;
      this.bytes = bytes;
    }

    void require(boolean condition, String otherwise) {
      if (!condition && error == null) {
        error = otherwise;
      }
    }
  }

  @Override
  public EventExecutor executor() {
    return context().executor();
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  @Override
  protected void handlerAdded0(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void send(Completion completion) {
    @Nullable String error = lost;
    if (error != null) {
      // Not at once: a caller that sends whenever one is completed would never return.
      executor().execute(() -> completion.completed(error));
      return;
    }
    boolean large = ++stamp % Http2Application.LARGE_EVERY == 0;
    int bytes = large ? Http2Application.LARGE_BYTES : Http2Application.SMALL_BYTES;
    String path = large ? Http2Application.LARGE_PATH : Http2Application.SMALL_PATH;
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method(HttpMethod.GET.asciiName())
            .scheme(scheme.name())
            .authority("localhost")
            .path(path + "?" + stamp);
    Http2FrameStream stream = newStream();
    underWay.put(stream, new Exchange(completion, stamp, bytes));
    context()
        .write(new DefaultHttp2HeadersFrame(headers, true).stream(stream))
        .addListener(
            written -> {
              if (!written.isSuccess()) {
                complete(stream, written.cause().toString());
              }
            });
  }

  @Override
  public void flush() {
    context().flush();
  }

  @Override
  public @Nullable String lost() {
    return lost;
  }

  @Override
  public void close() {
    breakOff("closed");
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (message instanceof Http2GoAwayFrame) {
        breakOff("the server sent GOAWAY");
      } else if (message instanceof Http2StreamFrame frame
          && underWay.containsKey(frame.stream())) {
        received(ctx, frame, underWay.get(frame.stream()));
      } // else it is a matter of the connection, such as its settings
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void received(ChannelHandlerContext ctx, Http2StreamFrame frame, Exchange exchange) {
    if (frame instanceof Http2HeadersFrame headers) {
      CharSequence status = headers.headers().status();
      boolean ok = HttpResponseStatus.OK.codeAsText().contentEquals(status);
      exchange.require(ok, "status " + status);
      endIf(headers.isEndStream(), frame.stream(), exchange);
    } else if (frame instanceof Http2DataFrame data) {
      ByteBuf part = data.content();
      int length = part.readableBytes();
      exchange.require(
          Content.isPart(part, part.readerIndex(), length, exchange.stamp, exchange.received),
          "an answer with the wrong content");
      exchange.received += length;
      ctx.write(
          new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes())
              .stream(frame.stream()));
      endIf(data.isEndStream(), frame.stream(), exchange);
    } else if (frame instanceof Http2ResetFrame reset) {
      complete(frame.stream(), "the server reset the stream with error " + reset.errorCode());
    }
  }

  private void endIf(boolean isLast, Http2FrameStream stream, Exchange exchange) {
    if (isLast) {
      exchange.require(
          exchange.received == exchange.bytes,
          "an answer of %d bytes instead of %d".formatted(exchange.received, exchange.bytes));
      complete(stream, exchange.error);
    }
  }

  private void complete(Http2FrameStream stream, @Nullable String error) {
    Exchange exchange = underWay.remove(stream);
    if (exchange != null) {
      exchange.completion.completed(error);
    }
  }

  private void breakOff(String error) {
    lose(error);
    context().close();
  }

  private void lose(String error) {
    if (lost == null) {
      lost = error;
      for (Http2FrameStream stream : List.copyOf(underWay.keySet())) {
        complete(stream, error);
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    lose("connection lost");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    breakOff(cause.toString());
  }
}
