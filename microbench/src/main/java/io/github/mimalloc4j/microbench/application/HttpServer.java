package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 server whose connections use the allocator under test: {@code GET /plaintext}, {@code
 * POST /echo} and {@code GET /stats}.
 */
public final class HttpServer implements Server {
  static final int MAX_BODY = 16 << 20;

  private final Config config;
  private final ByteBufAllocator allocator;
  private final ChannelServer server;

  /** What to serve, where: port 0 takes a free one, and TLS has a certificate of its own. */
  public record Config(AllocatorSource allocator, String host, int port, boolean tls) {}

  private HttpServer(Config config, Environment environment) throws IOException {
    this.config = config;
    InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
    allocator = environment.allocator();
    @Nullable SslContext tls = config.tls() ? Tls.server(address.getAddress()) : null;
    server =
        new ChannelServer(
            environment, address, channel -> addHandlers(channel, config.allocator(), tls));
  }

  /**
   * Starts a server, with an allocator of its own.
   *
   * @throws IOException if it cannot listen where it should
   */
  public static HttpServer start(Config config) throws IOException {
    ByteBufAllocator allocator = config.allocator().create();
    return start(config, new Environment(allocator, Transport.NIO, Environment.USUAL_EVENT_LOOPS));
  }

  /** Starts a server in an environment, with an allocator of the kind that is configured. */
  static HttpServer start(Config config, Environment environment) throws IOException {
    return new HttpServer(config, environment);
  }

  private static void addHandlers(
      Channel channel, AllocatorSource source, @Nullable SslContext tls) {
    ChannelPipeline pipeline = channel.pipeline();
    if (tls != null) {
      pipeline.addLast(tls.newHandler(channel.alloc()));
    }
    HttpObjectAggregator aggregator = new HttpObjectAggregator(MAX_BODY);
    // The default joins a body's parts by copying once there are 1,024 of them: at 8 KiB a part
    // that is a buffer of 8 MiB and a copy of half the body, for nothing.
    aggregator.setMaxCumulationBufferComponents(Integer.MAX_VALUE);
    pipeline
        .addLast(new HttpServerCodec())
        .addLast(new HttpServerKeepAliveHandler())
        .addLast(aggregator)
        .addLast(new HttpHandler(source))
        .addLast(ReadWhileWritable.INSTANCE);
  }

  @Override
  public int port() {
    return server.port();
  }

  public String url() {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    return (config.tls() ? "https://" : "http://") + host + ":" + port();
  }

  public ByteBufAllocator allocator() {
    return allocator;
  }

  /** Waits until the server is closed, by whomever. */
  public void awaitClose() throws InterruptedException {
    server.awaitClose();
  }

  @Override
  public void close() {
    server.close();
  }
}
