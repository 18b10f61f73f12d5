package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.proxy.Socks4ProxyHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Sends messages through a proxy to an echo of its own, on the same event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class ProxyClient extends OrderedClient<ByteBuf> {
  private final int messageBytes;
  private long sent = Content.firstStamp();
  private long received = sent;

  private ProxyClient(int messageBytes) {
    this.messageBytes = messageBytes;
  }

  static ProxyClient connect(EventLoop loop, int port, int messageBytes)
      throws IOException, InterruptedException {
    SocketAddress proxy = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    ProxyClient client = new ProxyClient(messageBytes);
    Promise<Void> accepted = loop.newPromise();
    Socks4ProxyHandler socks = new Socks4ProxyHandler(proxy);
    socks.connectFuture().addListener(done -> failIfFailed(accepted, done));
    Channel listener = listen(loop, accepted);
    try {
      ClientChannel.connect(
          loop,
          listener.localAddress(),
          channel ->
              channel
                  .pipeline()
                  .addLast(socks)
                  .addLast(new FixedLengthFrameDecoder(messageBytes))
                  .addLast(client),
          channel -> accepted);
      return client;
    } finally {
      listener.close(); // It has its connection, or there will be none.
    }
  }

  private static void failIfFailed(Promise<Void> accepted, Future<?> done) {
    if (!done.isSuccess()) {
      accepted.tryFailure(done.cause());
    }
  }

  private static Channel listen(EventLoop loop, Promise<Void> accepted)
      throws IOException, InterruptedException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(new Echo(accepted))
            .bind(InetAddress.getLoopbackAddress(), 0)
            .await();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen: " + bound.cause().getMessage(), bound.cause());
    }
    return bound.channel();
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    ByteBuf message = ctx.alloc().buffer(messageBytes);
    Content.write(message, sent++, messageBytes);
    ctx.write(message);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf message) {
    boolean same = Content.isMessage(message, message.readerIndex(), messageBytes, received++);
    answered(same ? null : "a message that differs from the one sent");
  }

  /** The one connection of the proxy. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    private final Promise<Void> accepted;

    Echo(Promise<Void> accepted) {
      this.accepted = accepted;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      accepted.trySuccess(null);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.write(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
