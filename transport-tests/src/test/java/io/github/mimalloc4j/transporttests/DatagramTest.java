package io.github.mimalloc4j.transporttests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.transporttests.Body.Kind;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.uring.IoUringChannelOption;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Datagrams to the server and back, up to the largest that there are. */
class DatagramTest extends TransportTest {

  private static final int[] SIZES = {1, 100, 1472, 9000, 65_507};
  private static final int PAYLOAD_BYTES = 1500;
  private static final int BURST = 30;

  @ParameterizedTest
  @MethodSource("transports")
  void datagramsComeBack(Transport transport) throws Exception {
    open(transport, new FixedRecvByteBufAllocator(65_536), false);
    for (int size : SIZES) {
      for (Kind kind : Kind.values()) {
        Body body = new Body(size);
        client().channel().writeAndFlush(to(server(), body, kind, client()));
        DatagramPacket came = (DatagramPacket) server().next();
        assertThat(server().liveBytes()).isGreaterThanOrEqualTo(size);
        server().channel().writeAndFlush(new DatagramPacket(came.content(), came.sender()));
        DatagramPacket back = (DatagramPacket) client().next();
        assertThat(client().liveBytes()).isGreaterThanOrEqualTo(size);
        assertSame(List.of(back.content()), body.bytes());
      }
    }
  }

  /** Those that came together share a buffer where the transport reads several at a time. */
  @ParameterizedTest
  @MethodSource("transports")
  void aBurstArrives(Transport transport) throws Exception {
    open(transport, new FixedRecvByteBufAllocator(16 * PAYLOAD_BYTES), true);
    Channel channel = client().channel();
    server().channel().config().setAutoRead(false); // so that they come together
    List<Integer> sent = new ArrayList<>();
    ChannelFuture last = channel.newSucceededFuture();
    for (int i = 1; i <= BURST; i++) {
      sent.add(i * 40);
      last = channel.write(to(server(), new Body(i * 40), Kind.values()[i % 3], client()));
    }
    channel.flush();
    last.sync();
    long before = server().directAllocations();
    server().channel().config().setAutoRead(true);
    List<Integer> arrived = new ArrayList<>(); // in any order
    for (int i = 1; i <= BURST; i++) {
      ByteBuf came = ((DatagramPacket) server().next()).content();
      arrived.add(came.readableBytes());
      assertSame(List.of(came), new Body(came.readableBytes()).bytes());
    }
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(sent);
    if (transport == Transport.EPOLL) {
      assertThat(server().directAllocations() - before).as("shared").isLessThan(BURST / 2);
    }
  }

  private static DatagramPacket to(Side receiver, Body body, Kind kind, Side sender)
      throws InterruptedException {
    return new DatagramPacket(
        body.buffer(sender.allocator(), kind),
        (InetSocketAddress) receiver.channel().localAddress());
  }

  private void open(Transport transport, FixedRecvByteBufAllocator sizes, boolean severalAtOnce)
      throws Exception {
    sides(allocator -> transport.loop());
    for (Side side : List.of(client(), server())) {
      Bootstrap bootstrap =
          new Bootstrap()
              .group(side.loop())
              .channel(transport.datagramChannel)
              .option(ChannelOption.ALLOCATOR, side.allocator())
              .option(ChannelOption.RECVBUF_ALLOCATOR, sizes)
              .handler(initializer(channel -> side.initialize(channel, null)));
      if (severalAtOnce && transport == Transport.EPOLL) {
        bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, PAYLOAD_BYTES);
      } else if (severalAtOnce && transport == Transport.IO_URING) {
        bootstrap.option(IoUringChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, PAYLOAD_BYTES);
      }
      bootstrap.bind(anyPort()).sync();
    }
  }
}
