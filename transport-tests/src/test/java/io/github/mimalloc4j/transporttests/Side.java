package io.github.mimalloc4j.transporttests;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, with an allocator and an event loop of its own. What arrives is kept
 * until the test takes it, so that the allocator's figures can be asked while it is all there.
 */
final class Side implements AutoCloseable {

  private static final int TIMEOUT_SECONDS = 30;

  private final MiMallocByteBufAllocator allocator;
  private final EventLoopGroup loop;
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();

  /** Next to the socket, and behind TLS. */
  private final Tap wire;

  private final Tap clear;
  private volatile @Nullable Channel channel;

  Side(MiMallocByteBufAllocator allocator, EventLoopGroup loop) {
    this.allocator = allocator;
    this.loop = loop;
    wire = new Tap(allocator);
    clear = new Tap(allocator);
  }

  MiMallocByteBufAllocator allocator() {
    return allocator;
  }

  EventLoopGroup loop() {
    return loop;
  }

  Tap wire() {
    return wire;
  }

  Channel channel() throws InterruptedException {
    for (int i = 0; channel == null && i < TIMEOUT_SECONDS * 100; i++) {
      TimeUnit.MILLISECONDS.sleep(10); // the server knows of a connection later than its client
    }
    assertThat(channel).as("connected").isNotNull();
    return channel;
  }

  /** Sets the channel up, on its event loop. */
  void initialize(Channel channel, @Nullable SslContext tls) {
    channel.pipeline().addLast(wire);
    if (tls != null) {
      channel.pipeline().addLast(Tls.handler(tls, channel));
    }
    channel.pipeline().addLast(clear, new ChunkedWriteHandler(), new Receiver());
    this.channel = channel;
  }

  /** Waits for the next message. */
  Object next() throws InterruptedException {
    Object message = arrived.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(message).as("arrived in time").isNotNull();
    if (message instanceof Throwable failure) {
      throw new AssertionError(failure);
    }
    return message;
  }

  /**
   * Waits until so many bytes have come, and returns the buffers with them; the caller releases.
   */
  List<ByteBuf> take(int bytes) throws InterruptedException {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int missing = bytes; missing > 0; ) {
      ByteBuf buffer = (ByteBuf) next();
      missing -= buffer.readableBytes();
      buffers.add(buffer);
      assertThat(missing).as("bytes too many").isNotNegative();
    }
    return buffers;
  }

  /** The bytes of the blocks that live buffers have, by the allocator's own figures. */
  long liveBytes() {
    return allocator.metric().direct().bytes().live() + allocator.metric().heap().bytes().live();
  }

  /** How often a direct buffer got a block until now, by the allocator's own figures. */
  long directAllocations() {
    return allocator.metric().direct().counts().allocations();
  }

  /** The same of heap buffers. */
  long heapAllocations() {
    return allocator.metric().heap().counts().allocations();
  }

  /** No buffer has passed that was not of this allocator. */
  void assertAllOurs() {
    assertThat(wire.foreign()).as("on the wire").isNull();
    assertThat(clear.foreign()).as("in the clear").isNull();
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.close().syncUninterruptibly();
    }
    loop.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private final class Receiver extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      arrived.add(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      arrived.add(cause);
    }
  }
}
