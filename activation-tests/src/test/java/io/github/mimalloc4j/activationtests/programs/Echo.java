package io.github.mimalloc4j.activationtests.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server that sends back what it gets, and a client that compares it. Reports the allocators of
 * all channels. As much of Netty's API as 4.1 has, too.
 */
public final class Echo {

  /** More than the buffers of a socket take at once. */
  private static final int BYTES = 1 << 20;

  private Echo() {}

  public static void main(String[] args) throws Exception {
    run();
  }

  static void run() throws Exception {
    run(null);
  }

  /** With an allocator for the server's connections, unless it is null. */
  @SuppressWarnings("deprecation") // The event loops that all versions have.
  static void run(ByteBufAllocator chosen) throws Exception {
    Report.allocator("default", ByteBufAllocator.DEFAULT);
    Report.allocator("embedded", new EmbeddedChannel().alloc());
    EventLoopGroup group = new NioEventLoopGroup(2);
    try {
      CompletableFuture<Boolean> echoed = new CompletableFuture<>();
      Channel server =
          new ServerBootstrap()
              .childOption(ChannelOption.ALLOCATOR, chosen)
              .group(group)
              .channel(NioServerSocketChannel.class)
              .childHandler(initializer(new Sender()))
              .bind(InetAddress.getLoopbackAddress(), 0)
              .sync()
              .channel();
      Report.allocator("server", server.alloc());
      new Bootstrap()
          .group(group)
          .channel(NioSocketChannel.class)
          .handler(initializer(new Comparer(echoed)))
          .connect(server.localAddress())
          .sync();
      Report.value("echoed", echoed.get(1, TimeUnit.MINUTES));
      Report.value("used bytes", Report.usedBytes());
    } finally {
      group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }
  }

  private static ChannelInitializer<Channel> initializer(ChannelInboundHandlerAdapter handler) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(handler);
      }
    };
  }

  private static final class Sender extends ChannelInboundHandlerAdapter {

    @Override
    public void channelActive(ChannelHandlerContext context) {
      Report.allocator("server child", context.alloc());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.writeAndFlush(message);
    }
  }

  private static final class Comparer extends ChannelInboundHandlerAdapter {

    private final CompletableFuture<Boolean> done;
    private int received;

    Comparer(CompletableFuture<Boolean> done) {
      this.done = done;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      Report.allocator("client", context.alloc());
      ByteBuf buffer = context.alloc().buffer(BYTES);
      for (int i = 0; i < BYTES; i++) {
        buffer.writeByte(expected(i));
      }
      context.writeAndFlush(buffer);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      while (buffer.isReadable()) {
        if (buffer.readByte() != (byte) expected(received++)) {
          done.complete(false);
        }
      }
      buffer.release();
      if (received == BYTES) {
        done.complete(true);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      done.completeExceptionally(cause);
    }

    private static int expected(int index) {
      return index * 31 >>> 3;
    }
  }
}
