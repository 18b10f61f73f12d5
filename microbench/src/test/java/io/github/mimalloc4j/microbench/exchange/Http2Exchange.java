package io.github.mimalloc4j.microbench.exchange;

import io.github.mimalloc4j.microbench.application.Tls;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Many streams at once, with more to send than their windows hold; one that the client resets and a
 * connection that it closes in the midst of the bodies.
 */
final class Http2Exchange {

  /** Around the largest frame, 16 KiB, and a stream's first window, 64 KiB less one. */
  private static final int[] SIZES = {
    0, 1, 1000, 16_383, 16_384, 16_385, 65_534, 65_535, 65_536, 300_000, 3 << 20
  };

  private static final int PART_BYTES = 10_000;
  private static final int PADDING = 7;
  private static final int TIMEOUT_SECONDS = 60;

  private final Ends ends;
  private final @Nullable SslContext serverTls;
  private final @Nullable SslContext clientTls;

  private Http2Exchange(Ends ends, @Nullable SslContext serverTls, @Nullable SslContext clientTls) {
    this.ends = ends;
    this.serverTls = serverTls;
    this.clientTls = clientTls;
  }

  static void run(Ends ends, boolean overTls) throws Exception {
    new Http2Exchange(
            ends,
            overTls ? Tls.server(ApplicationProtocolNames.HTTP_2) : null,
            overTls ? Tls.client(ApplicationProtocolNames.HTTP_2) : null)
        .run();
  }

  private void run() throws Exception {
    SocketAddress address = ends.listen(ends.loop(), this::serve);
    Channel connection = connect(address);
    exchange(connection);
    resetInTheMidst(connection);
    exchange(connection); // it still works
    connection.close().sync();
    closeInTheMidst(connect(address));
  }

  private void serve(Channel channel) {
    if (serverTls != null) {
      channel.pipeline().addLast(serverTls.newHandler(channel.alloc()));
    }
    channel
        .pipeline()
        .addLast(Http2FrameCodecBuilder.forServer().build())
        .addLast(
            new Http2MultiplexHandler(
                Ends.initializer(stream -> stream.pipeline().addLast(new StreamEcho()))));
  }

  private Channel connect(SocketAddress address) throws Exception {
    Channel connection = ends.connect(ends.loop(), address, this::setUp).sync().channel();
    SslHandler tls = connection.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.handshakeFuture().sync();
      if (!ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
        throw new AssertionError("negotiated: " + tls.applicationProtocol());
      }
    }
    return connection;
  }

  private void setUp(Channel channel) {
    if (clientTls != null) {
      channel.pipeline().addLast(clientTls.newHandler(channel.alloc(), "localhost", 0));
    }
    channel
        .pipeline()
        .addLast(Http2FrameCodecBuilder.forClient().build())
        .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
  }

  /** Sends all bodies, each in a stream of its own, before it waits for the first one. */
  private void exchange(Channel connection) throws Exception {
    Map<Body, Channel> streams = new LinkedHashMap<>();
    for (int size : SIZES) {
      Body body = ends.body(size);
      streams.put(body, open(connection, new Receiver(body)));
    }
    streams.forEach((body, stream) -> send(stream, body, true));
    for (Body body : streams.keySet()) {
      body.await();
    }
  }

  private void resetInTheMidst(Channel connection) throws Exception {
    Leaver leaver = new Leaver();
    Channel stream = open(connection, leaver);
    send(stream, ends.body(1 << 20), false);
    awaitClose(stream);
    if (!leaver.left) {
      throw new AssertionError("the stream ended before anything came");
    }
  }

  private void closeInTheMidst(Channel connection) throws Exception {
    Channel stream =
        open(
            connection,
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext ctx, Object message) {
                ReferenceCountUtil.release(message);
                if (message instanceof Http2DataFrame) {
                  connection.close();
                }
              }
            });
    send(stream, ends.body(1 << 20), false);
    awaitClose(connection);
  }

  private static void awaitClose(Channel channel) throws InterruptedException {
    if (!channel.closeFuture().await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still open: " + channel);
    }
  }

  private static Http2StreamChannel open(Channel connection, ChannelHandler handler)
      throws InterruptedException {
    return new Http2StreamChannelBootstrap(connection).handler(handler).open().sync().getNow();
  }

  private static void send(Channel stream, Body body, boolean ending) {
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method("POST")
            .path("/echo")
            .scheme("http")
            .authority("localhost");
    stream.write(new DefaultHttp2HeadersFrame(headers, ending && body.isSent()));
    while (!body.isSent()) {
      stream.write(
          new DefaultHttp2DataFrame(body.nextPart(PART_BYTES), ending && body.isSent(), PADDING));
    }
    stream.flush();
  }

  /** A response has headers of its own; of the other frames, only data comes back. */
  private static final class StreamEcho extends Echo {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame request) {
        Http2Headers headers = new DefaultHttp2Headers().status("200");
        ctx.write(new DefaultHttp2HeadersFrame(headers, request.isEndStream()));
      } else if (message instanceof Http2DataFrame data) {
        ctx.write(new DefaultHttp2DataFrame(data.content(), data.isEndStream(), PADDING));
      } else {
        ReferenceCountUtil.release(message);
      }
    }
  }

  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final Body body;

    Receiver(Body body) {
      this.body = body;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame response && response.isEndStream()) {
        body.end();
      } else if (message instanceof Http2DataFrame data) {
        body.receive(data.content());
        if (data.isEndStream()) {
          body.end();
        }
      } else {
        ReferenceCountUtil.release(message);
      }
    }
  }

  /** Resets the stream when the first bytes of the body came. */
  private static final class Leaver extends ChannelInboundHandlerAdapter {
    private volatile boolean left;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      if (message instanceof Http2DataFrame && !left) {
        left = true;
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
      }
    }
  }
}
