package io.github.mimalloc4j.microbench.endtoend;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A load made by this JVM: connections of Netty, on event loops of their own and with one of
 * Netty's allocators whichever is measured, that send the {@link RequestMix} and check all answers.
 */
final class OwnLoad implements Load {
  /** Of all bodies: each is a part of it, so that answers to different requests differ. */
  private static final int PATTERN_BYTES = 2 * RequestMix.LARGEST;

  private static final int PATTERN_SEED = 1;

  /** Three digits: an error of at most one part in a thousand. */
  private static final int DIGITS = 3;

  private static final double NANOS_PER_SECOND = 1e9;

  static Histogram emptyHistogram() {
    return new Histogram(DIGITS);
  }

  /** The percentiles of what was recorded in microseconds. */
  static LoadResult.Latency latency(Histogram micros) {
    return new LoadResult.Latency(
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(90),
        micros.getValueAtPercentile(99),
        micros.getValueAtPercentile(99.9),
        micros.getMaxValue());
  }

  @Override
  public LoadResult run(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    ByteBuf pattern = pattern();
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(Load.threads(connections), NioIoHandler.newFactory());
    List<ClientHandler> clients = new ArrayList<>();
    try {
      connect(bootstrap(group, server), server, connections, pattern, clients);
      long end = System.nanoTime() + time.toNanos();
      for (ClientHandler client : clients) {
        client.context().executor().execute(() -> client.start(end));
      }
      long patience = end + PATIENCE.toNanos();
      for (ClientHandler client : clients) {
        Future<?> closed = client.context().channel().closeFuture();
        if (!closed.await(patience - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          String error = "no answer for " + PATIENCE.toSeconds() + " s";
          client.context().executor().submit(() -> client.fail(error)).await();
        }
      }
    } finally {
      // What the clients counted can be read when their threads have ended.
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      pattern.release();
    }
    return sum(clients, time);
  }

  private static ByteBuf pattern() {
    byte[] bytes = new byte[PATTERN_BYTES];
    new Random(PATTERN_SEED).nextBytes(bytes);
    // Direct, so that sending it takes no copy.
    return Unpooled.directBuffer(PATTERN_BYTES).writeBytes(bytes);
  }

  private static Bootstrap bootstrap(EventLoopGroup group, URI server) {
    return new Bootstrap()
        .group(group)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.TCP_NODELAY, true)
        .remoteAddress(server.getHost(), server.getPort());
  }

  private static void connect(
      Bootstrap bootstrap,
      URI server,
      int connections,
      ByteBuf pattern,
      List<ClientHandler> clients)
      throws IOException, InterruptedException {
    @Nullable SslContext ssl = server.getScheme().equals("https") ? trusting() : null;
    int[] sizes = RequestMix.draw();
    String host = server.getHost() + ":" + server.getPort();
    List<ChannelFuture> connecting = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      // Each begins somewhere else, or all would send their large bodies at the same time.
      int first = (int) ((long) i * sizes.length / connections);
      ClientHandler client = new ClientHandler(host, sizes, first, pattern);
      connecting.add(bootstrap.clone().handler(pipeline(ssl, client)).connect());
      clients.add(client);
    }
    for (ChannelFuture connected : connecting) {
      if (!connected.await().isSuccess()) {
        throw new IOException("cannot connect to " + server, connected.cause());
      }
      awaitHandshake(connected.channel());
    }
  }

  private static SslContext trusting() throws IOException {
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .trustManager(InsecureTrustManagerFactory.INSTANCE)
        .build();
  }

  private static ChannelHandler pipeline(@Nullable SslContext ssl, ClientHandler client) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (ssl != null) {
          channel.pipeline().addLast(ssl.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(new HttpClientCodec(), client);
      }
    };
  }

  private static void awaitHandshake(Channel channel) throws IOException, InterruptedException {
    @Nullable SslHandler handler = channel.pipeline().get(SslHandler.class);
    if (handler != null && !handler.handshakeFuture().await().isSuccess()) {
      throw new IOException("TLS handshake failed", handler.handshakeFuture().cause());
    }
  }

  private static LoadResult sum(List<ClientHandler> clients, Duration time) {
    Histogram micros = emptyHistogram();
    clients.forEach(client -> micros.add(client.latencyMicros()));
    return new LoadResult(
        micros.getTotalCount(),
        time.toNanos() / NANOS_PER_SECOND,
        latency(micros),
        clients.stream().mapToLong(ClientHandler::errors).sum(),
        clients.stream()
            .map(ClientHandler::firstError)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null));
  }
}
