package io.github.mimalloc4j.transporttests;

import static io.github.mimalloc4j.transporttests.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.transporttests.Body.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringAdaptiveBufferRingAllocator;
import io.netty.channel.uring.IoUringBufferRingAllocator;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only io_uring has: the kernel picks a buffer by itself, and sends without a copy. */
class IoUringTest extends TransportTest {

  private static final short GROUP = 1;
  private static final short RING_BUFFERS = 16;
  private static final int RING_BUFFER_BYTES = 4096;
  private static final int[] SIZES = {1, 4095, 4096, 4097, 65_537, 3_000_017};

  /** A ring of buffers that the kernel fills, as it was set up. */
  record Ring(boolean incremental, boolean adaptive, Tls tls) {}

  /** Those that are to be had. What is not, {@link AvailabilityTest} tells. */
  static Stream<Ring> rings() {
    if (!Transport.available().contains(Transport.IO_URING)
        || !IoUring.isRegisterBufferRingSupported()) {
      return Stream.of();
    }
    return Stream.of(false, true)
        .filter(incremental -> !incremental || IoUring.isRegisterBufferRingIncSupported())
        .flatMap(
            incremental ->
                Tls.available().stream().map(tls -> new Ring(incremental, tls != Tls.NONE, tls)));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("rings")
  void theRingIsFilledWithOurBuffers(Ring ring) throws Exception {
    AtomicLong filled = new AtomicLong();
    sides(allocator -> loop(ring, allocator, filled));
    connect(
        Transport.IO_URING,
        ring.tls,
        client -> client.option(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP),
        server -> server.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP));
    for (int size : SIZES) {
      for (Kind kind : Kind.values()) {
        exchange(new Body(size), kind);
      }
    }
    // Far more than a ring has: it was filled again and again.
    assertThat(filled).hasValueGreaterThan(10 * RING_BUFFERS);
  }

  static List<Transport> zeroCopy() throws ReflectiveOperationException {
    return Transport.available().contains(Transport.IO_URING) && Transport.sendsWithoutCopy()
        ? List.of(Transport.IO_URING)
        : List.of();
  }

  /**
   * The kernel reads a buffer after Netty has written it. Netty releases it once the kernel says
   * so, unless the connection is closed before: then Netty 4.2.18 loses it, whatever the allocator.
   */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("zeroCopy")
  void whatIsSentWithoutACopyArrives(Transport transport) throws Exception {
    sides(allocator -> transport.loop());
    connect(
        transport,
        Tls.NONE,
        client -> client.option(IoUringChannelOption.IO_URING_WRITE_ZERO_COPY_THRESHOLD, 1),
        server -> server.childOption(IoUringChannelOption.IO_URING_WRITE_ZERO_COPY_THRESHOLD, 1));
    for (int size : SIZES) {
      for (Kind kind : Kind.values()) {
        exchange(new Body(size), kind);
      }
    }
    await().untilAsserted(() -> assertThat(client().liveBytes() + server().liveBytes()).isZero());
  }

  /** Sent, and sent back at once: what is read from a ring is given back to it soon. */
  private void exchange(Body body, Kind kind) throws Exception {
    Channel there = client().channel();
    there.writeAndFlush(body.buffer(client().allocator(), kind));
    Channel back = server().channel();
    for (int missing = body.size(); missing > 0; ) {
      ByteBuf buffer = (ByteBuf) server().next();
      missing -= buffer.readableBytes();
      back.writeAndFlush(buffer);
    }
    assertSame(client().take(body.size()), body.bytes());
  }

  private static EventLoopGroup loop(
      Ring ring, MiMallocByteBufAllocator allocator, AtomicLong filled) {
    IoUringBufferRingAllocator buffers =
        ring.adaptive
            ? new IoUringAdaptiveBufferRingAllocator(allocator)
            : new IoUringFixedBufferRingAllocator(allocator, RING_BUFFER_BYTES);
    IoUringBufferRingConfig config =
        IoUringBufferRingConfig.builder()
            .bufferGroupId(GROUP)
            .bufferRingSize(RING_BUFFERS)
            .batchSize(RING_BUFFERS)
            .incremental(ring.incremental)
            .allocator(new Counting(buffers, filled))
            .build();
    return Transport.loop(
        IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setBufferRingConfig(config)));
  }

  /** Counts the buffers that a ring asks for. */
  private record Counting(IoUringBufferRingAllocator buffers, AtomicLong filled)
      implements IoUringBufferRingAllocator {
    @Override
    public ByteBuf allocate() {
      filled.incrementAndGet();
      return buffers.allocate();
    }

    @Override
    public void lastBytesRead(int attempted, int actual) {
      buffers.lastBytesRead(attempted, actual);
    }
  }
}
