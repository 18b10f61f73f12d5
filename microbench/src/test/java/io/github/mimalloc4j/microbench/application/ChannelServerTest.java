package io.github.mimalloc4j.microbench.application;

import static io.github.mimalloc4j.microbench.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChannelServerTest {
  private static final String FAILED = "cannot listen on ";

  @ParameterizedTest
  @EnumSource
  void takenPortIsSaidAndNothingIsLeftRunning(Transport transport) throws Exception {
    assumeTrue(transport.isAvailable(), () -> transport + " is not available");
    Environment environment = new Environment(ByteBufAllocator.DEFAULT, transport, 2);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
      Set<Thread> before = Thread.getAllStackTraces().keySet();

      assertThatThrownBy(() -> new ChannelServer(environment, address, connection -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              FAILED + address.getHostString() + ":" + address.getPort() + ": ");
      awaitNoEventLoopBut(before);
    }
  }

  @Test
  void closesTwiceAndEndsItsEventLoops() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    ChannelServer server =
        ChannelServer.start(
            new Environment(ByteBufAllocator.DEFAULT, Transport.NIO, 2), connection -> {});
    server.close();
    server.close();

    awaitNoEventLoopBut(before);
  }

  /** An event loop says that it has ended a moment before its thread does. */
  private static void awaitNoEventLoopBut(Set<Thread> before) {
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("multiThreadIo"))
                    .isSubsetOf(before));
  }
}
