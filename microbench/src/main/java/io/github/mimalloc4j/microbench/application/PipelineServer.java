package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What servers of one listening channel share; the handlers are all that tells them apart. */
final class PipelineServer implements Server {
  private static final int BACKLOG = 1024;
  private static final int CLOSE_SECONDS = 5;

  private final EventLoopGroup group;
  private final Channel listener;

  private PipelineServer(EventLoopGroup group, Channel listener) {
    this.group = group;
    this.listener = listener;
  }

  /**
   * Starts a server.
   *
   * @param handlers adds the handlers of a new connection
   */
  static Server start(Environment environment, Consumer<ChannelPipeline> handlers)
      throws IOException {
    EventLoopGroup group = environment.transport().newGroup(environment.eventLoops());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(environment.transport().serverChannel())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.ALLOCATOR, environment.allocator())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    handlers.accept(channel.pipeline());
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .awaitUninterruptibly();
    PipelineServer server = new PipelineServer(group, bound.channel());
    if (!bound.isSuccess()) {
      server.close();
      throw new IOException("cannot listen: " + bound.cause().getMessage(), bound.cause());
    }
    return server;
  }

  @Override
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** The end of an event loop closes its channels. */
  @Override
  public void close() {
    group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
