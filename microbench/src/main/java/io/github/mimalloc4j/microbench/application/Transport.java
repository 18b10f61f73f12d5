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

/** What moves the bytes of a server. */
public enum Transport {
  NIO {
    @Override
    IoHandlerFactory newFactory() {
      return NioIoHandler.newFactory();
    }

    @Override
    public Class<? extends ServerSocketChannel> serverChannel() {
      return NioServerSocketChannel.class;
    }

    @Override
    public Class<? extends SocketChannel> channel() {
      return NioSocketChannel.class;
    }

    @Override
    public boolean isAvailable() {
      return true;
    }
  },

  /** Netty's native transport for Linux. */
  EPOLL {
    @Override
    IoHandlerFactory newFactory() {
      return EpollIoHandler.newFactory();
    }

    @Override
    public Class<? extends ServerSocketChannel> serverChannel() {
      return EpollServerSocketChannel.class;
    }

    @Override
    public Class<? extends SocketChannel> channel() {
      return EpollSocketChannel.class;
    }

    @Override
    public boolean isAvailable() {
      return Epoll.isAvailable();
    }
  };

  abstract IoHandlerFactory newFactory();

  /** Makes event loops, the threads of which Netty names and makes. */
  public EventLoopGroup newGroup(int threads) {
    return new MultiThreadIoEventLoopGroup(threads, newFactory());
  }

  /** The channels that listen. */
  public abstract Class<? extends ServerSocketChannel> serverChannel();

  /** The channels of clients: of an application that is one itself, such as a proxy. */
  public abstract Class<? extends SocketChannel> channel();

  /** Whether it works on this system. */
  public abstract boolean isAvailable();

  /** The name on the command line. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
