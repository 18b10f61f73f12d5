package io.github.mimalloc4j.microbench.application;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketServerCompressionHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.util.List;

/**
 * A chat room: each message goes to all connections, its sender's included. They share its bytes,
 * which are released by the event loop that sends them last; with compression each connection has
 * bytes of its own.
 */
final class WebSocketApplication implements Application {
  static final String PATH = "/room";
  static final int MESSAGE_BYTES = 512;
  static final int HTTP_BYTES = 64 << 10;

  /** What inflating may allocate: the codec limits frames instead. */
  static final int NO_LIMIT = 0;

  private final boolean compressed;

  private WebSocketApplication(boolean compressed) {
    this.compressed = compressed;
  }

  static List<Workload> workloads() {
    return List.of(workload("plain", "", false), workload("compressed", ", compressed", true));
  }

  private static Workload workload(String variant, String how, boolean compressed) {
    return new Workload(
        "websocket",
        variant,
        "messages of %d B, each to all connections%s; each sender waits for its own message"
            .formatted(MESSAGE_BYTES, how),
        new WebSocketApplication(compressed),
        (loop, port) -> WebSocketClient.connect(loop, port, compressed),
        1,
        null);
  }

  @Override
  public Server start(Environment environment) throws IOException {
    ChannelGroup room = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    return ChannelServer.start(environment, channel -> addHandlers(channel, room));
  }

  private void addHandlers(Channel channel, ChannelGroup room) {
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
                    .build()))
        .addLast(new Member(room));
  }

  private static final class Member extends SimpleChannelInboundHandler<TextWebSocketFrame> {
    private final ChannelGroup room;

    Member(ChannelGroup room) {
      this.room = room;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof HandshakeComplete) {
        room.add(ctx.channel());
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame message) {
      room.write(message.retain()); // A retained duplicate for each; then it is released.
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      room.flush();
    }
  }
}
