package io.github.mimalloc4j.transporttests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.transporttests.Body.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many buffers in one flush, which a transport gives to the system as a list of addresses. */
class GatheringTest extends TransportTest {

  /** More than the 1,024 that the system takes at a time. */
  private static final int BUFFERS = 3000;

  private static final int LARGEST = 3000;

  @ParameterizedTest
  @MethodSource("connections")
  void buffersOfAllKindsArriveInOrder(Transport transport, Tls tls) throws Exception {
    connect(transport, tls);
    Random random = new Random(1);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      Body body = new Body(1 + random.nextInt(LARGEST));
      sent.writeBytes(body.bytes());
      ByteBuf buffer = body.buffer(client().allocator(), Kind.values()[i % 3]);
      buffers.add(i % 2 == 0 ? buffer : buffer.asReadOnly());
    }
    // Before the first write: SslHandler sends what waits whenever a handshake message arrives.
    assertThat(client().liveBytes()).isGreaterThanOrEqualTo(sent.size());
    Channel channel = client().channel();
    buffers.forEach(channel::write);
    channel.flush();
    assertSame(server().take(sent.size()), sent.toByteArray());
  }

  /** A socket that takes a little at a time, so that a list is taken in part. */
  @ParameterizedTest
  @MethodSource("transports")
  void aListIsTakenInParts(Transport transport) throws Exception {
    sides(allocator -> transport.loop());
    connect(
        transport,
        Tls.NONE,
        client -> client.option(ChannelOption.SO_SNDBUF, 8192),
        server -> server.option(ChannelOption.SO_RCVBUF, 8192));
    Body body = new Body(1_000_003);
    Channel channel = client().channel();
    server().channel().config().setAutoRead(false);
    for (int i = 0; i < 3; i++) {
      channel.write(body.buffer(client().allocator(), Kind.DIRECT));
      channel.write(body.buffer(client().allocator(), Kind.COMPOSITE));
    }
    channel.flush();
    long left =
        channel
            .eventLoop()
            .submit(() -> channel.unsafe().outboundBuffer().totalPendingWriteBytes())
            .get();
    assertThat(left).as("bytes not taken at once").isPositive();
    server().channel().config().setAutoRead(true);
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int i = 0; i < 6; i++) {
      sent.writeBytes(body.bytes());
    }
    assertSame(server().take(sent.size()), sent.toByteArray());
  }

  /** The transports send direct memory only: they copy a heap buffer, and the copy is ours too. */
  @ParameterizedTest
  @MethodSource("transports")
  void copiesForTheSocketAreOurs(Transport transport) throws Exception {
    connect(transport, Tls.NONE);
    Channel channel = client().channel();
    for (Kind kind : List.of(Kind.DIRECT, Kind.HEAP)) {
      long before = client().directAllocations();
      for (int i = 1; i <= 100; i++) {
        channel.writeAndFlush(new Body(i).buffer(client().allocator(), kind)).sync();
      }
      // One for each, the buffer itself or the copy: the client reads nothing.
      assertThat(client().directAllocations() - before).as(kind.name()).isEqualTo(100);
      server().take(5050).forEach(ByteBuf::release);
    }
  }
}
