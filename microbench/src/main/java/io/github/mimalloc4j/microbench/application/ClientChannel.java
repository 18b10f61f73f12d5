package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** Connects a client that is a pipeline of Netty's handlers. */
final class ClientChannel {
  private static final int TIMEOUT_SECONDS = 30;

  private ClientChannel() {}

  /** Connects to a server of this machine. */
  static void connect(
      EventLoop loop, int port, Consumer<Channel> pipeline, Function<Channel, Future<?>> ready)
      throws IOException, InterruptedException {
    SocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    connect(loop, server, pipeline, ready);
  }

  /**
   * Connects, and waits until the connection can be used.
   *
   * @param pipeline adds the handlers
   * @param ready tells of a connected channel when its handshakes are done
   */
  static void connect(
      EventLoop loop,
      SocketAddress server,
      Consumer<Channel> pipeline,
      Function<Channel, Future<?>> ready)
      throws IOException, InterruptedException {
    ChannelFuture connected =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(ChannelServer.initializer(pipeline))
            .connect(server);
    Channel channel = connected.channel();
    await(connected, "cannot connect", channel);
    await(ready.apply(channel), "handshake", channel);
  }

  private static void await(Future<?> future, String what, Channel channel)
      throws IOException, InterruptedException {
    boolean done = false;
    try {
      done = future.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } finally {
      if (!done || !future.isSuccess()) {
        channel.close();
      }
    }
    if (!done) {
      throw new IOException(what + ": no answer for " + TIMEOUT_SECONDS + " s");
    }
    if (!future.isSuccess()) {
      throw new IOException(what + ": " + future.cause().getMessage(), future.cause());
    }
  }
}
