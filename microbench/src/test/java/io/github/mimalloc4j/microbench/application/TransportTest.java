package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransportTest {
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void epollIsAvailableOnLinux() {
    assertThat(Epoll.unavailabilityCause()).isNull();
    assertThat(Transport.EPOLL.isAvailable()).isTrue();
  }

  /**
   * Netty's classes for it ask the native library for the numbers of errors: both must be there.
   */
  @ParameterizedTest
  @EnumSource
  void refusedConnectionIsSaid(Transport transport) throws Exception {
    assumeTrue(transport.isAvailable(), () -> transport + " is not available");
    EventLoopGroup group = transport.newGroup(1);
    try (Socket bound = new Socket()) { // and not listening: nobody else can, meanwhile
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      ChannelFuture connected =
          new Bootstrap()
              .group(group)
              .channel(transport.channel())
              .handler(new ChannelInboundHandlerAdapter())
              .connect(bound.getLocalSocketAddress())
              .await();
      assertThat(connected.cause()).isInstanceOf(ConnectException.class);
    } finally {
      ChannelServer.shutDown(group);
    }
  }
}
