package io.github.mimalloc4j.microbench.http;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server whose connections use the allocator under test: {@code GET /plaintext}, {@code
 * POST /echo} and {@code GET /stats}.
 */
public final class HttpServer implements AutoCloseable {
  public static final int MAX_BODY = 16 << 20;

  private static final int BACKLOG = 1024;
  private static final int CLOSE_TIMEOUT_SECONDS = 5;

  private final Config config;
  private final ByteBufAllocator allocator;
  private final @Nullable X509Bundle certificate;
  private final EventLoopGroup group;
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Channel listener;

  /** What to serve, where: port 0 takes a free one, and TLS has a certificate of its own. */
  public record Config(AllocatorSource allocator, String host, int port, boolean tls) {}

  private HttpServer(
      Config config,
      ByteBufAllocator allocator,
      EventLoopGroup group,
      Class<? extends ServerSocketChannel> channel)
      throws IOException {
    this.config = config;
    this.allocator = allocator;
    this.group = group;
    certificate =
        config.tls()
            ? SelfSigned.certificate(new InetSocketAddress(config.host(), 0).getAddress())
            : null;
    @Nullable SslContext ssl = certificate == null ? null : SelfSigned.server(certificate).build();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(channel)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(pipeline(config.allocator(), ssl, connections))
            .bind(config.host(), config.port())
            .awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      shutDown(group);
      String where = config.host() + ":" + config.port();
      throw new IOException(
          "cannot listen on " + where + ": " + bound.cause().getMessage(), bound.cause());
    }
  }

  /**
   * Starts a server, with an allocator of its own.
   *
   * @throws IOException if it cannot listen where it should
   */
  public static HttpServer start(Config config) throws IOException {
    return start(config, config.allocator().create());
  }

  /** Starts a server with an allocator that others use, too: of the kind that is configured. */
  public static HttpServer start(Config config, ByteBufAllocator allocator) throws IOException {
    return start(
        config,
        allocator,
        new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()),
        NioServerSocketChannel.class);
  }

  /** The same on given event loops, which end with the server, and their kind of channels. */
  public static HttpServer start(
      Config config,
      ByteBufAllocator allocator,
      EventLoopGroup group,
      Class<? extends ServerSocketChannel> channel)
      throws IOException {
    return new HttpServer(config, allocator, group, channel);
  }

  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  public String url() {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    return (config.tls() ? "https://" : "http://") + host + ":" + port();
  }

  public ByteBufAllocator allocator() {
    return allocator;
  }

  /** The certificate that a client must trust; null without TLS. */
  public @Nullable X509Certificate certificate() {
    return certificate == null ? null : certificate.getCertificate();
  }

  /** Waits until the server is closed, by whomever. */
  public void awaitClose() throws InterruptedException {
    listener.closeFuture().await();
    group.terminationFuture().await();
  }

  /** Closes all connections and ends the event loops; may be called more than once. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    shutDown(group);
  }

  private static void shutDown(EventLoopGroup group) {
    group.shutdownGracefully(0, CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static ChannelInitializer<Channel> pipeline(
      AllocatorSource source, @Nullable SslContext ssl, ChannelGroup connections) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        connections.add(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (ssl != null) {
          pipeline.addLast(ssl.newHandler(channel.alloc()));
        }
        HttpObjectAggregator aggregator = new HttpObjectAggregator(MAX_BODY);
        // The default joins a body's parts by copying once there are 1,024 of them: at 8 KiB a part
        // that is a buffer of 8 MiB and a copy of half the body, for nothing.
        aggregator.setMaxCumulationBufferComponents(Integer.MAX_VALUE);
        pipeline
            .addLast(new HttpServerCodec())
            .addLast(new HttpServerKeepAliveHandler())
            .addLast(aggregator)
            .addLast(new HttpHandler(source));
      }
    };
  }
}
