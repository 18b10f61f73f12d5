package io.github.mimalloc4j.transporttests;

import static io.github.mimalloc4j.transporttests.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.transporttests.Body.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes go to the server and come back, over each transport and through each TLS engine. */
class EchoTest extends TransportTest {

  /** Around the size of a TLS record, of 64 KiB, and of a block with a segment of its own. */
  private static final int[] SIZES = {
    1, 2, 100, 1460, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 1_000_003, 9 << 20, 16 << 20
  };

  /** What event loops, JDK and native libraries may take beside the allocators while bytes pass. */
  private static final long OTHER_BYTES = 1 << 20;

  @ParameterizedTest
  @MethodSource("connections")
  void everyByteComesBackAndWasInOurBuffers(Transport transport, Tls tls) throws Exception {
    connect(transport, tls);
    exchange(new Body(100), Kind.DIRECT); // the first one brings what is needed once
    long other = otherDirectMemory();
    for (int size : SIZES) {
      for (Kind kind : Kind.values()) {
        exchange(new Body(size), kind);
      }
    }
    // What is being given back is counted by one of the two only, for a moment.
    await().untilAsserted(() -> assertThat(otherDirectMemory() - other).isLessThan(OTHER_BYTES));
    long sent = 100 + 3L * Arrays.stream(SIZES).asLongStream().sum();
    for (Side side : List.of(client(), server())) {
      assertThat(side.wire().readBytes()).satisfies(bytes -> countsOnWire(bytes, sent, tls));
      assertThat(side.wire().writtenBytes()).satisfies(bytes -> countsOnWire(bytes, sent, tls));
    }
  }

  private void exchange(Body body, Kind kind) throws Exception {
    client().channel().writeAndFlush(body.buffer(client().allocator(), kind));
    List<ByteBuf> came = server().take(body.size());
    // All bytes are in buffers now, and this is what the allocator itself says of them.
    assertThat(server().liveBytes()).isGreaterThanOrEqualTo(body.size());
    Channel channel = server().channel();
    came.forEach(channel::write);
    channel.flush();
    List<ByteBuf> back = client().take(body.size());
    assertThat(client().liveBytes()).isGreaterThanOrEqualTo(body.size());
    assertSame(back, body.bytes());
  }

  private static void countsOnWire(long bytes, long sent, Tls tls) {
    if (tls == Tls.NONE) {
      assertThat(bytes).isEqualTo(sent);
    } else {
      assertThat(bytes).isGreaterThan(sent); // encrypted, with a handshake before
    }
  }
}
