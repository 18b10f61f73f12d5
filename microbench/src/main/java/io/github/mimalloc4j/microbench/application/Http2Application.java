package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 with a channel for each stream: {@code GET /} is answered with 64 B, {@code GET /large}
 * with 8 KiB, and with the number in the query as the content's stamp.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its stream.
final class Http2Application implements Application {
  static final String SMALL_PATH = "/";
  static final int SMALL_BYTES = 64;
  static final String LARGE_PATH = "/large";
  static final int LARGE_BYTES = 8 << 10;

  /** Every so many requests are for the large answer. */
  static final int LARGE_EVERY = 16;

  private static final int STREAMS = 100;

  private final boolean overTls;

  private Http2Application(boolean overTls) {
    this.overTls = overTls;
  }

  static List<Workload> workloads() {
    return List.of(
        workload("h2c", "HTTP/2 with prior knowledge", false),
        workload("tls", "HTTP/2 over TLS", true));
  }

  private static Workload workload(String variant, String protocol, boolean overTls) {
    return new Workload(
        "http2",
        variant,
        protocol + ": GET of 64 B, every sixteenth of 8 KiB, in one stream each",
        new Http2Application(overTls),
        (loop, port) -> Http2Client.connect(loop, port, overTls),
        STREAMS,
        new Http2Load(overTls ? "https" : "http", paths()));
  }

  /** What a client requests, again and again. */
  private static List<String> paths() {
    List<String> paths = new ArrayList<>(Collections.nCopies(LARGE_EVERY - 1, SMALL_PATH));
    paths.add(LARGE_PATH);
    return paths;
  }

  @Override
  public Server start(Environment environment) throws IOException {
    SslContext tls = overTls ? Tls.server(ApplicationProtocolNames.HTTP_2) : null;
    return ChannelServer.start(environment, channel -> addHandlers(channel, tls));
  }

  private static void addHandlers(Channel channel, @Nullable SslContext tls) {
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(Http2FrameCodecBuilder.forServer().build())
        .addLast(
            new Http2MultiplexHandler(ChannelServer.initializer(Http2Application::addHandler)));
  }

  /** A stream does not take over the allocator of its connection. */
  private static void addHandler(Channel stream) {
    stream.config().setAllocator(stream.parent().alloc());
    stream.pipeline().addLast(new Answer());
  }

  /** One stream. The multiplexer flushes the connection once for all streams of a read. */
  private static final class Answer extends RequestHandler<Http2HeadersFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Http2HeadersFrame request) {
      String[] target = request.headers().path().toString().split("\\?", 2);
      long stamp = target.length == 2 ? Long.parseLong(target[1]) : 0;
      switch (target[0]) {
        case SMALL_PATH -> answer(ctx, stamp, SMALL_BYTES);
        case LARGE_PATH -> answer(ctx, stamp, LARGE_BYTES);
        default ->
            ctx.write(new DefaultHttp2HeadersFrame(headers(HttpResponseStatus.NOT_FOUND), true));
      }
    }

    private static void answer(ChannelHandlerContext ctx, long stamp, int bytes) {
      ByteBuf content = ctx.alloc().buffer(bytes);
      Content.write(content, stamp, bytes);
      Http2Headers headers =
          headers(HttpResponseStatus.OK)
              .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
              .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes);
      ctx.write(new DefaultHttp2HeadersFrame(headers));
      ctx.write(new DefaultHttp2DataFrame(content, true));
    }

    private static Http2Headers headers(HttpResponseStatus status) {
      return new DefaultHttp2Headers().status(status.codeAsText());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      CloseOnError.INSTANCE.exceptionCaught(ctx, cause);
    }
  }
}
