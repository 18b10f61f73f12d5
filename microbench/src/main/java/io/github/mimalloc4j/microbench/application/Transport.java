package io.github.mimalloc4j.microbench.application;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Locale;
import java.util.function.Supplier;

/** What moves the bytes of a server. */
public enum Transport {
  NIO(NioIoHandler::newFactory, NioServerSocketChannel.class, NioSocketChannel.class),
  /** Netty's native transport for Linux. */
  EPOLL(EpollIoHandler::newFactory, EpollServerSocketChannel.class, EpollSocketChannel.class);

  private final Supplier<IoHandlerFactory> factory;
  private final Class<? extends ServerSocketChannel> serverChannel;
  private final Class<? extends SocketChannel> channel;

  Transport(
      Supplier<IoHandlerFactory> factory,
      Class<? extends ServerSocketChannel> serverChannel,
      Class<? extends SocketChannel> channel) {
    this.factory = factory;
    this.serverChannel = serverChannel;
    this.channel = channel;
  }

  /** Makes event loops, the threads of which Netty names and makes. */
  public EventLoopGroup newGroup(int threads) {
    return new MultiThreadIoEventLoopGroup(threads, factory.get());
  }

  /** The channels that listen. */
  public Class<? extends ServerSocketChannel> serverChannel() {
    return serverChannel;
  }

  /** The channels of clients: of an application that is one itself, such as a proxy. */
  public Class<? extends SocketChannel> channel() {
    return channel;
  }

  /** Whether it works on this system. */
  public boolean isAvailable() {
    return this == NIO || Epoll.isAvailable();
  }

  /** The name on the command line. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
