package io.github.mimalloc4j.microbench.exchange;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The ends of connections through this machine, all with the same allocator. */
final class Ends implements AutoCloseable {

  private final MiMallocByteBufAllocator allocator;
  private final Loss loss;
  private final List<EventLoopGroup> loops = new ArrayList<>();

  Ends(MiMallocByteBufAllocator allocator, Loss loss) {
    this.allocator = allocator;
    this.loss = loss;
  }

  MiMallocByteBufAllocator allocator() {
    return allocator;
  }

  Body body(int size) {
    return new Body(allocator, loss, size);
  }

  /** Starts a loop with a thread of its own. */
  EventLoopGroup loop() {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    loops.add(loop);
    return loop;
  }

  /** Listens, and sets each connection up. */
  SocketAddress listen(EventLoopGroup loop, Consumer<Channel> connection) {
    return new ServerBootstrap()
        .group(loop)
        .channel(NioServerSocketChannel.class)
        .childOption(ChannelOption.ALLOCATOR, allocator)
        .childHandler(initializer(connection))
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .syncUninterruptibly()
        .channel()
        .localAddress();
  }

  ChannelFuture connect(EventLoopGroup loop, SocketAddress address, Consumer<Channel> connection) {
    return new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.ALLOCATOR, allocator)
        .handler(initializer(connection))
        .connect(address);
  }

  static ChannelInitializer<Channel> initializer(Consumer<Channel> setUp) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        setUp.accept(channel);
      }
    };
  }

  @Override
  public void close() {
    for (EventLoopGroup loop : loops) {
      loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
