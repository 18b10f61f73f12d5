package io.github.mimalloc4j.microbench.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Clients, a proxy and a server that sends back what comes. The proxy has the connections to the
 * clients on one event loop and those to the server on another, so that every buffer it reads is
 * allocated on one and released on the other. It reads no faster than the other side takes it: no
 * client reads before that was seen to happen.
 */
final class ProxyExchange {

  private static final int CLIENTS = 3;
  private static final int BODY_BYTES = 8 << 20; // many times what all sockets hold
  private static final int PART_BYTES = 50_000;
  private static final int SOCKET_BYTES = 64 << 10;
  private static final int TIMEOUT_SECONDS = 60;

  private final Ends ends;
  private final EventLoopGroup toServer;
  private final SocketAddress server;
  private final CountDownLatch paused = new CountDownLatch(1);

  private ProxyExchange(Ends ends) {
    this.ends = ends;
    toServer = ends.loop();
    server =
        ends.listen(ends.loop(), channel -> small(channel).pipeline().addLast(new ClosingEcho()));
  }

  static void run(Ends ends) throws Exception {
    new ProxyExchange(ends).run();
  }

  private void run() throws Exception {
    SocketAddress proxy = ends.listen(ends.loop(), this::connectToServer);
    EventLoopGroup clients = ends.loop();
    List<Body> bodies = new ArrayList<>();
    List<Channel> channels = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Body body = ends.body(BODY_BYTES + i);
      bodies.add(body);
      channels.add(start(clients, proxy, body, new Receiver(body)));
    }
    // One that closes when the first bytes came back, while the others are under way.
    channels.add(start(clients, proxy, ends.body(BODY_BYTES), new Leaver()));
    if (!paused.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the proxy never waited");
    }
    for (Channel channel : channels) {
      channel.config().setAutoRead(true);
    }
    for (Body body : bodies) {
      body.await();
    }
    for (Channel channel : channels) {
      channel.close().sync();
    }
  }

  private Channel start(
      EventLoopGroup loop, SocketAddress proxy, Body body, ChannelInboundHandlerAdapter handler)
      throws InterruptedException {
    Channel channel =
        ends.connect(loop, proxy, end -> unread(end).pipeline().addLast(handler)).sync().channel();
    while (!body.isSent()) {
      channel.write(body.nextPart(PART_BYTES));
    }
    channel.flush();
    return channel;
  }

  private void connectToServer(Channel client) {
    unread(client);
    ends.connect(
            toServer,
            server,
            channel -> unread(channel).pipeline().addLast(new Forwarder(client, paused)))
        .addListener(
            (ChannelFutureListener)
                connected -> {
                  client.pipeline().addLast(new Forwarder(connected.channel(), paused));
                  client.read();
                  connected.channel().read();
                });
  }

  private static Channel unread(Channel channel) {
    channel.config().setAutoRead(false);
    return small(channel);
  }

  private static Channel small(Channel channel) {
    channel.config().setOption(ChannelOption.SO_SNDBUF, SOCKET_BYTES);
    channel.config().setOption(ChannelOption.SO_RCVBUF, SOCKET_BYTES);
    return channel;
  }

  /** Passes on what comes, to a channel of another event loop. */
  private static final class Forwarder extends ChannelInboundHandlerAdapter {
    private final Channel peer;
    private final CountDownLatch paused;

    Forwarder(Channel peer, CountDownLatch paused) {
      this.peer = peer;
      this.paused = paused;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (peer.eventLoop() == ctx.channel().eventLoop()) {
        throw new AssertionError("one event loop for both");
      }
      peer.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      peer.flush();
      if (peer.isWritable()) {
        ctx.read();
      } else {
        paused.countDown(); // the peer's forwarder reads on
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      if (ctx.channel().isWritable()) {
        peer.read();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      // What the peer still gets goes nowhere; unread, it could keep the peer from taking the rest.
      peer.config().setAutoRead(true);
      peer.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close(); // a connection that the client reset
    }
  }

  private static final class ClosingEcho extends Echo {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final Body body;

    Receiver(Body body) {
      this.body = body;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (body.receive((ByteBuf) message)) {
        body.end();
      }
    }
  }

  private static final class Leaver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      ctx.close();
    }
  }
}
