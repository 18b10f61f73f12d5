package io.github.mimalloc4j.transporttests;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of Netty's ways to the network. */
enum Transport {
  NIO(NioServerSocketChannel.class, NioSocketChannel.class, NioDatagramChannel.class),
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class, EpollDatagramChannel.class),
  IO_URING(
      IoUringServerSocketChannel.class, IoUringSocketChannel.class, IoUringDatagramChannel.class);

  final Class<? extends ServerChannel> serverChannel;
  final Class<? extends Channel> clientChannel;
  final Class<? extends DatagramChannel> datagramChannel;

  Transport(
      Class<? extends ServerChannel> serverChannel,
      Class<? extends Channel> clientChannel,
      Class<? extends DatagramChannel> datagramChannel) {
    this.serverChannel = serverChannel;
    this.clientChannel = clientChannel;
    this.datagramChannel = datagramChannel;
  }

  /** Those that this machine has. */
  static List<Transport> available() {
    return Arrays.stream(values()).filter(t -> t.unavailable() == null).toList();
  }

  /** Why this machine does not have it, or null if it does. */
  @Nullable Throwable unavailable() {
    return switch (this) {
      case NIO -> null;
      case EPOLL -> Epoll.unavailabilityCause();
      case IO_URING -> IoUring.unavailabilityCause();
    };
  }

  /** Whether the kernel, which has io_uring, sends without a copy. Netty does not tell others. */
  static boolean sendsWithoutCopy() throws ReflectiveOperationException {
    return supports("isSendZcSupported") && supports("isSendmsgZcSupported");
  }

  private static boolean supports(String method) throws ReflectiveOperationException {
    Method supported = IoUring.class.getDeclaredMethod(method);
    supported.setAccessible(true);
    return (boolean) supported.invoke(null);
  }

  /** One event loop with a thread of its own. */
  EventLoopGroup loop() {
    return loop(
        switch (this) {
          case NIO -> NioIoHandler.newFactory();
          case EPOLL -> EpollIoHandler.newFactory();
          case IO_URING -> IoUringIoHandler.newFactory();
        });
  }

  static EventLoopGroup loop(IoHandlerFactory handlers) {
    return new MultiThreadIoEventLoopGroup(1, handlers);
  }
}
