package io.github.mimalloc4j.transporttests;

import static io.github.mimalloc4j.transporttests.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Two ends of a connection through this machine. After each test nothing may be in use, no buffer
 * may have passed that was not ours, and no leak may have been reported.
 */
@Timeout(180)
abstract class TransportTest {

  private static final String LOST_ON_PURPOSE = "lost on purpose";

  private final List<SslContext> contexts = new ArrayList<>();
  private @Nullable Side client;
  private @Nullable Side server;

  /** Each transport with each way to encrypt, as far as this machine has them. */
  static Stream<Arguments> connections() {
    return Transport.available().stream()
        .flatMap(t -> Tls.available().stream().map(tls -> Arguments.of(t, tls)));
  }

  static List<Transport> transports() {
    return Transport.available();
  }

  final Side client() {
    return client;
  }

  final Side server() {
    return server;
  }

  /** Two sides, each with an allocator that its event loop may need to know. */
  final void sides(Function<MiMallocByteBufAllocator, EventLoopGroup> loop) {
    MiMallocByteBufAllocator clients = MiMallocByteBufAllocator.builder().build();
    client = new Side(clients, loop.apply(clients));
    MiMallocByteBufAllocator servers = MiMallocByteBufAllocator.builder().build();
    server = new Side(servers, loop.apply(servers));
  }

  final void connect(Transport transport, Tls tls) throws Exception {
    sides(allocator -> transport.loop());
    connect(transport, tls, bootstrap -> {}, bootstrap -> {});
  }

  /** Connects two sides that have their event loops already, with options of the test's own. */
  final void connect(
      Transport transport,
      Tls tls,
      Consumer<Bootstrap> clientOptions,
      Consumer<ServerBootstrap> serverOptions)
      throws Exception {
    SslContext serverTls = known(tls.server());
    ServerBootstrap listener =
        new ServerBootstrap()
            .group(server.loop())
            .channel(transport.serverChannel)
            .option(ChannelOption.ALLOCATOR, server.allocator())
            .childOption(ChannelOption.ALLOCATOR, server.allocator())
            .childHandler(initializer(channel -> server.initialize(channel, serverTls)));
    serverOptions.accept(listener);
    SocketAddress address = listener.bind(anyPort()).sync().channel().localAddress();
    SslContext clientTls = known(tls.client());
    Bootstrap connector =
        new Bootstrap()
            .group(client.loop())
            .channel(transport.clientChannel)
            .option(ChannelOption.ALLOCATOR, client.allocator())
            .handler(initializer(channel -> client.initialize(channel, clientTls)));
    clientOptions.accept(connector);
    connector.connect(address).sync();
    server.channel();
  }

  /** A context of tcnative is counted, too. */
  private @Nullable SslContext known(@Nullable SslContext context) {
    if (context != null) {
      contexts.add(context);
    }
    return context;
  }

  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static ChannelInitializer<Channel> initializer(Consumer<Channel> setUp) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        setUp.accept(channel);
      }
    };
  }

  /** Compares what came with what was sent, and releases it on this thread, which is no loop. */
  static void assertSame(List<ByteBuf> came, byte[] sent) {
    byte[] all = new byte[sent.length];
    int at = 0;
    for (ByteBuf buffer : came) {
      int count = buffer.readableBytes();
      buffer.readBytes(all, at, count);
      at += count;
      buffer.release();
    }
    // Not by an assertion about arrays, which would print megabytes.
    assertThat(Arrays.mismatch(all, sent)).as("first wrong byte").isEqualTo(-1);
  }

  /** Direct memory that neither of the two allocators has, by the JDK's count and theirs. */
  final long otherDirectMemory() {
    long all =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return all
        - client.allocator().metric().usedDirectMemory()
        - server.allocator().metric().usedDirectMemory();
  }

  @AfterEach
  final void nothingIsLost() throws Exception {
    client.close();
    server.close();
    contexts.forEach(ReferenceCountUtil::release);
    await()
        .untilAsserted(
            () -> {
              assertThat(client.liveBytes()).as("live bytes of the client").isZero();
              assertThat(server.liveBytes()).as("live bytes of the server").isZero();
            });
    client.assertAllOurs();
    server.assertAllOurs();
    client.allocator().close();
    server.allocator().close();
    assertThat(leaks()).hasSize(1).allMatch(report -> report.contains(LOST_ON_PURPOSE));
  }

  /**
   * The leaks reported until now, with that of a buffer lost last, which shows that reports come.
   */
  private static List<String> leaks() throws InterruptedException {
    MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
    // Netty tells a leak with the same records once only.
    allocator.directBuffer(99).touch(LOST_ON_PURPOSE + ", " + System.nanoTime());
    for (int i = 0; i < 500 && !LeakReports.contain(LOST_ON_PURPOSE); i++) {
      collect(allocator);
    }
    for (int i = 0; i < 5; i++) {
      collect(allocator); // what was lost before it may be reported after it
    }
    return LeakReports.take();
  }

  private static void collect(MiMallocByteBufAllocator allocator) throws InterruptedException {
    System.gc();
    TimeUnit.MILLISECONDS.sleep(20); // the JVM hands references over in its own time
    allocator.directBuffer(1).release(); // reports come with an allocation
  }
}
