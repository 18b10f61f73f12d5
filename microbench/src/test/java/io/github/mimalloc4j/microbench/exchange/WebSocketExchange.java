package io.github.mimalloc4j.microbench.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Messages in one frame and in many, pings between them, and an orderly close. */
final class WebSocketExchange {

  /** Around the limits of the three lengths of a frame's header. */
  private static final int[] SIZES = {1, 125, 126, 1000, 65_535, 65_536, 1 << 20};

  private static final int PING_BYTES = 125;
  private static final int MAX_BYTES = 1 << 20;
  private static final int HTTP_BYTES = 64 << 10;
  private static final int NO_LIMIT = 0;
  private static final int TIMEOUT_SECONDS = 60;
  private static final String PATH = "/echo";
  private static final String DEFLATE = "PerMessageDeflateDecoder"; // not public

  private WebSocketExchange() {}

  static void run(Ends ends, boolean compressed) throws Exception {
    InetSocketAddress address =
        (InetSocketAddress) ends.listen(ends.loop(), channel -> serve(channel, compressed));
    URI uri = new URI("ws", null, "localhost", address.getPort(), PATH, null, null);
    Receiver receiver = new Receiver();
    Channel channel =
        ends.connect(ends.loop(), address, end -> setUp(end, uri, compressed, receiver))
            .sync()
            .channel();
    receiver.open.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (compressed != compresses(channel.pipeline())) {
      throw new AssertionError("compressed: " + !compressed);
    }
    exchange(ends, channel, receiver);
    channel.writeAndFlush(new CloseWebSocketFrame());
    if (!channel.closeFuture().await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the server did not close");
    }
  }

  private static boolean compresses(ChannelPipeline pipeline) {
    return pipeline.toMap().values().stream()
        .anyMatch(handler -> handler.getClass().getSimpleName().equals(DEFLATE));
  }

  private static void serve(Channel channel, boolean compressed) {
    ChannelPipeline pipeline =
        channel
            .pipeline()
            .addLast(new HttpServerCodec())
            .addLast(new HttpObjectAggregator(HTTP_BYTES));
    if (compressed) {
      pipeline.addLast(new WebSocketServerCompressionHandler(NO_LIMIT));
    }
    pipeline
        .addLast(
            new WebSocketServerProtocolHandler(
                WebSocketServerProtocolConfig.newBuilder()
                    .websocketPath(PATH)
                    .allowExtensions(compressed)
                    .maxFramePayloadLength(MAX_BYTES)
                    .build()))
        .addLast(new Echo());
  }

  private static void setUp(Channel channel, URI uri, boolean compressed, Receiver receiver) {
    ChannelPipeline pipeline =
        channel
            .pipeline()
            .addLast(new HttpClientCodec())
            .addLast(new HttpObjectAggregator(HTTP_BYTES));
    if (compressed) {
      pipeline.addLast(new WebSocketClientCompressionHandler(NO_LIMIT));
    }
    pipeline
        .addLast(
            new WebSocketClientProtocolHandler(
                WebSocketClientProtocolConfig.newBuilder()
                    .webSocketUri(uri)
                    .allowExtensions(compressed)
                    .maxFramePayloadLength(MAX_BYTES)
                    .dropPongFrames(false)
                    .build()))
        .addLast(new WebSocketFrameAggregator(MAX_BYTES))
        .addLast(receiver);
  }

  private static void exchange(Ends ends, Channel channel, Receiver receiver) throws Exception {
    List<Body> bodies = new ArrayList<>();
    for (int size : SIZES) {
      for (int parts : new int[] {1, 2, 7}) {
        Body body = ends.body(size);
        bodies.add(body);
        receiver.expected.add(body);
        send(channel, body, Math.max(1, size / parts), parts % 2 == 0);
        Body ping = ends.body(PING_BYTES);
        bodies.add(ping);
        receiver.expected.add(ping);
        channel.writeAndFlush(new PingWebSocketFrame(ping.nextPart(PING_BYTES)));
      }
    }
    for (Body body : bodies) {
      body.await();
    }
  }

  private static void send(Channel channel, Body body, int partBytes, boolean text) {
    ByteBuf first = body.nextPart(partBytes);
    channel.write(
        text
            ? new TextWebSocketFrame(body.isSent(), 0, first)
            : new BinaryWebSocketFrame(body.isSent(), 0, first));
    while (!body.isSent()) {
      ByteBuf part = body.nextPart(partBytes);
      channel.write(new ContinuationWebSocketFrame(body.isSent(), 0, part));
    }
    channel.flush();
  }

  /** Messages and pongs come back in the order in which messages and pings were sent. */
  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final Queue<Body> expected = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> open = new CompletableFuture<>();

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
        open.complete(null);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      Body body = expected.remove();
      body.receive(((WebSocketFrame) message).content());
      body.end();
    }
  }
}
