package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLimit;
import io.github.mimalloc4j.netty.support.NettyLine;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Soundness;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.NettyRuntime;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.DataInputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From one connection on one core to 64 cores: no more memory than Netty's own allocators use. */
@ExtendWith(LeakDetectionOff.class)
class SizingTest {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** M3: an echo server with one connection and one event loop. */
  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1000, 8000, 60_000, 200_000})
  @Tag("netty-as-reference")
  void oneConnectionNeedsNoMoreThanAdaptive(int messageBytes) throws Exception {
    long ours = peakOfEcho(new MiMallocByteBufAllocator(true), messageBytes);
    assertThat(ours).isBetween(1L, (long) MIB);
    assertThat(ours)
        .isLessThanOrEqualTo(peakOfEcho(new AdaptiveByteBufAllocator(true), messageBytes));
  }

  private static <A extends ByteBufAllocator & ByteBufAllocatorMetricProvider> long peakOfEcho(
      A allocator, int messageBytes) throws Exception {
    AtomicLong peak = new AtomicLong();
    EventLoopGroup group = NettyLine.CURRENT.eventLoops(1, new DefaultThreadFactory("echo"));
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(NioServerSocketChannel.class)
              .option(ChannelOption.ALLOCATOR, allocator)
              .childOption(ChannelOption.ALLOCATOR, allocator)
              .childHandler(
                  new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelRead(ChannelHandlerContext context, Object message) {
                      context.writeAndFlush(message);
                      peak.accumulateAndGet(allocator.metric().usedDirectMemory(), Math::max);
                    }
                  })
              .bind("localhost", 0)
              .sync()
              .channel();
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      byte[] message = new byte[messageBytes];
      try (Socket client = new Socket("localhost", port)) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        for (int i = 0; i < 500; i++) {
          client.getOutputStream().write(message);
          in.readFully(message);
        }
      }
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    return peak.get();
  }

  @Test
  void withTenMebibytesOfDirectMemoryNearlyAllOfItIsBuffers() {
    NettyLimit.of(10 << 20).run(SmallDirectMemory.class, "-Xmx64m").assertSucceeded();
  }

  /** On four event loops and a plain thread, small and large, until there is no memory. */
  static final class SmallDirectMemory {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 4)) {
        for (int round = 0; round < 5; round++) {
          List<ByteBuf> live = new ArrayList<>();
          int[] sizes = {200, 2000, 16_709, 65_536, 300_000};
          try {
            for (int i = 0; ; i++) {
              int size = sizes[i % sizes.length];
              live.add(
                  i % 5 == 4
                      ? allocator.directBuffer(size)
                      : loops.call(() -> allocator.directBuffer(size)));
            }
          } catch (OutOfMemoryError e) {
            // on this thread
          } catch (AssertionError e) {
            assertThat(e).hasRootCauseInstanceOf(OutOfMemoryError.class);
          }
          assertThat(live.stream().mapToLong(ByteBuf::capacity).sum()).isGreaterThan(7 * MIB);
          live.forEach(ByteBuf::release);
        }
      }
      Soundness.assertNothingHeld(allocator);
    }
  }

  @Test
  void ona64MebibyteJavaHeapHeapBuffersFillMostOfIt() {
    OtherJvm.run(SmallJavaHeap.class, "-Xmx64m", "-XX:-UseSerialGC", "-XX:+UseG1GC")
        .assertSucceeded();
  }

  /** Regions of 1 MiB: an array of half of one takes a whole one, an array of 1 MiB takes two. */
  static final class SmallJavaHeap {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      for (int size : new int[] {2000, 16_709, 100_000}) {
        List<ByteBuf> live = new ArrayList<>();
        long bytes = 0;
        while (bytes < 40L * MIB) {
          live.add(allocator.heapBuffer(size));
          bytes += size;
        }
        assertThat(used(allocator, false)).isLessThan(50L * MIB);
        live.forEach(ByteBuf::release);
        allocator.trim();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 8", "64, 200"})
  void threadsWithFewBuffersEachUseLessThanWithNettysOwn(int processors, int plainThreads) {
    OtherJvm.run(
            ManyThreads.class,
            "-Dio.netty.availableProcessors=" + processors,
            "-Dplain=" + plainThreads)
        .assertSucceeded();
  }

  /** Two event loops a processor and some plain threads, each with a few live buffers. */
  static final class ManyThreads {
    public static void main(String[] args) {
      int loops = 2 * NettyRuntime.availableProcessors();
      int plain = Integer.getInteger("plain");
      long ours = used(new MiMallocByteBufAllocator(true), loops, plain);
      long adaptive = used(new AdaptiveByteBufAllocator(true), loops, plain);
      long pooled = used(new PooledByteBufAllocator(true), loops, plain);
      System.out.println("used: " + ours + ", Adaptive " + adaptive + ", Pooled " + pooled);
      assertThat(ours).isLessThanOrEqualTo(adaptive).isLessThanOrEqualTo(pooled);
    }

    private static <A extends ByteBufAllocator & ByteBufAllocatorMetricProvider> long used(
        A allocator, int loops, int plain) {
      int[] sizes = {64, 256, 1024, 4096, 16_384};
      List<ByteBuf> live = new ArrayList<>();
      try (ThreadKind.Group group = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, loops)) {
        for (int i = 0; i < loops; i++) {
          live.addAll(group.call(() -> few(allocator, sizes)));
        }
        for (int i = 0; i < plain; i++) {
          live.addAll(ThreadKind.PLAIN.call(() -> few(allocator, sizes)));
        }
        long used = allocator.metric().usedDirectMemory();
        live.forEach(ByteBuf::release);
        return used;
      }
    }

    private static List<ByteBuf> few(ByteBufAllocator allocator, int[] sizes) {
      List<ByteBuf> buffers = new ArrayList<>();
      for (int size : sizes) {
        buffers.add(allocator.directBuffer(size));
      }
      return buffers;
    }
  }

  /**
   * The formula of docs/tuning.md: beside live buffers at most one page of each size class in use
   * in each heap, the retained target, and two segments; with nothing live the retained target
   * alone.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 40, true",
    "4, 6, 40, true",
    "16, 12, 40, true",
    "4, 6, 40, false",
    "2, 6, 20000, true"
  })
  void whatIsRetainedIsWhatTheFormulaSays(int threads, int classes, int most, boolean direct) {
    MiMallocByteBufAllocator allocator =
        MiMallocByteBufAllocator.builder().trimDelayMillis(20).build();
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, threads)) {
      List<ByteBuf> live = new ArrayList<>();
      long pages = 0;
      for (int t = 0; t < threads; t++) {
        for (int c = 0; c < classes; c++) {
          int size = 100 << c;
          int count = 1 + (t * 3131 + c * 1737) % most;
          live.addAll(loops.call(() -> some(allocator, direct, size, count)));
          int block = Soundness.blockBytes(live.get(live.size() - 1));
          pages += size > 128 * KIB ? 0 : pageBytes(block, count);
        }
      }
      long grown = used(allocator, direct) / (direct ? 16 : 8);
      long segments = 2 * Math.max(256 * KIB, Math.min(8 * MIB, grown));
      long bound = 512 * KIB + pages + segments;
      await()
          .untilAsserted(
              () ->
                  assertThat(used(allocator, direct) - live(allocator, direct))
                      .isBetween(0L, bound));
      live.forEach(ByteBuf::release);
      await()
          .untilAsserted(() -> assertThat(used(allocator, direct)).isLessThanOrEqualTo(512 * KIB));
    }
  }

  /**
   * 64 KiB for small blocks, and 8 to 22 of the larger ones: at most 512 KiB; or a 16th of the
   * pages before, at most 1 MiB.
   */
  private static long pageBytes(int blockBytes, int count) {
    long least = Math.min(512 * KIB, Math.max(64 * KIB, 22L * blockBytes));
    long grown = blockBytes > 17 * KIB ? 0 : (long) blockBytes * count / 15; // with unused ends
    return Math.max(least, Math.min(MIB, grown));
  }

  private static long live(MiMallocByteBufAllocator allocator, boolean direct) {
    return direct ? allocator.metric().pinnedDirectMemory() : allocator.metric().pinnedHeapMemory();
  }

  private static List<ByteBuf> some(
      MiMallocByteBufAllocator allocator, boolean direct, int size, int count) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(Soundness.allocate(allocator, direct, size));
    }
    return buffers;
  }
}
