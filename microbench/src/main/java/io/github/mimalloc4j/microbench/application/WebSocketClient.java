package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.codec.http.websocketx.extensions.compression.WebSocketClientCompressionHandler;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * A member of the room. A request is answered by its own message; those of others are checked, too:
 * each sender's come whole, in their order, and none is left out.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class WebSocketClient extends OrderedClient<TextWebSocketFrame> {
  private static final String DEFLATE = "PerMessageDeflateDecoder"; // not public

  private final boolean compressed;
  private final Promise<Void> open;
  private final Map<Long, Long> lastOfSender = new HashMap<>();
  private final long first = Content.firstStamp();
  private long sent = first;
  private long received = first;

  private WebSocketClient(boolean compressed, Promise<Void> open) {
    this.compressed = compressed;
    this.open = open;
  }

  static WebSocketClient connect(EventLoop loop, int port, boolean compressed)
      throws IOException, InterruptedException {
    WebSocketClient client = new WebSocketClient(compressed, loop.newPromise());
    URI uri = URI.create("ws://localhost:" + port + WebSocketApplication.PATH);
    ClientChannel.connect(
        loop, port, channel -> client.addTo(channel, uri), channel -> client.open);
    return client;
  }

  private void addTo(Channel channel, URI uri) {
    ChannelPipeline pipeline =
        channel
            .pipeline()
            .addLast(new HttpClientCodec())
            .addLast(new HttpObjectAggregator(WebSocketApplication.HTTP_BYTES));
    if (compressed) {
      pipeline.addLast(new WebSocketClientCompressionHandler(WebSocketApplication.NO_LIMIT));
    }
    pipeline
        .addLast(
            new WebSocketClientProtocolHandler(
                WebSocketClientProtocolConfig.newBuilder()
                    .webSocketUri(uri)
                    .allowExtensions(compressed)
                    .build()))
        .addLast(this);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
      boolean compresses =
          ctx.pipeline().toMap().values().stream()
              .anyMatch(handler -> handler.getClass().getSimpleName().equals(DEFLATE));
      if (compresses == compressed) {
        open.trySuccess(null);
      } else {
        open.tryFailure(new IOException("compressed: " + compresses));
      }
    }
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    ByteBuf text = ctx.alloc().buffer(WebSocketApplication.MESSAGE_BYTES);
    Content.write(text, ++sent, WebSocketApplication.MESSAGE_BYTES);
    ctx.write(new TextWebSocketFrame(text));
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame message) {
    ByteBuf text = message.content();
    int length = text.readableBytes();
    long stamp = length < Content.STAMP_BYTES ? 0 : Content.stampOf(text, text.readerIndex());
    boolean whole =
        length == WebSocketApplication.MESSAGE_BYTES
            && Content.isMessage(text, text.readerIndex(), length, stamp);
    if (!whole) {
      breakOff("a message with the wrong content");
    } else if (Content.isSameSender(stamp, first)) {
      answered(stamp == ++received ? null : "a message that differs from the one sent");
    } else {
      Long last = lastOfSender.put(Content.senderOf(stamp), stamp);
      if (last != null && stamp != last + 1) {
        breakOff("a message of another connection is missing or came twice");
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    open.tryFailure(new IOException("connection lost"));
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    open.tryFailure(cause);
    super.exceptionCaught(ctx, cause);
  }
}
