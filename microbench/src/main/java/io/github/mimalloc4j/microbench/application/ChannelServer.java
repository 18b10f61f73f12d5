package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A server whose connections have a pipeline of Netty's handlers: what such applications share. */
final class ChannelServer implements Server {
  private static final int BACKLOG = 1024;
  private static final int CLOSE_TIMEOUT_SECONDS = 5;

  private final EventLoopGroup group;
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Channel listener;
  private Runnable closed = () -> {};

  /**
   * Starts a server on an address, which need not be free.
   *
   * @param pipeline adds the handlers of each connection
   * @throws IOException if it cannot listen
   */
  ChannelServer(Environment environment, InetSocketAddress address, Consumer<Channel> pipeline)
      throws IOException {
    group = environment.transport().newGroup(environment.eventLoops());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(environment.transport().serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.ALLOCATOR, environment.allocator())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(initializer(pipeline.andThen(this::addConnection)))
            .bind(address)
            .awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      shutDown(group);
      String where = address.getHostString() + ":" + address.getPort();
      throw new IOException(
          "cannot listen on " + where + ": " + bound.cause().getMessage(), bound.cause());
    }
  }

  /** Starts a server on a free port of the loopback address. */
  static ChannelServer start(Environment environment, Consumer<Channel> pipeline)
      throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new ChannelServer(environment, free, pipeline);
  }

  /** Sets what {@link #close} does after the event loops have ended. */
  ChannelServer onClosed(Runnable action) {
    closed = action;
    return this;
  }

  private void addConnection(Channel channel) {
    channel.pipeline().addLast(CloseOnError.INSTANCE);
    connections.add(channel);
  }

  /** What adds handlers, as Netty wants it. */
  static ChannelInitializer<Channel> initializer(Consumer<Channel> pipeline) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        pipeline.accept(channel);
      }
    };
  }

  @Override
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    shutDown(group);
    closed.run();
  }

  /** Ends event loops, and waits until they have ended. */
  static void shutDown(EventLoopGroup group) {
    group.shutdownGracefully(0, CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
