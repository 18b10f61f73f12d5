package io.github.mimalloc4j.microbench.application;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An HTTP/1.1 server: {@code GET /plaintext} and {@code POST /echo}. */
final class HttpServer {
  static final int MAX_BODY = 16 << 20;

  private HttpServer() {}

  /**
   * Starts a server on a free port of the loopback address.
   *
   * @throws IOException if it cannot listen
   */
  static Server start(Environment environment, boolean overTls) throws IOException {
    SslContext tls = overTls ? Tls.server() : null;
    return ChannelServer.start(environment, channel -> addHandlers(channel, tls));
  }

  private static void addHandlers(Channel channel, @Nullable SslContext tls) {
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
        .addLast(new HttpHandler())
        .addLast(ReadWhileWritable.INSTANCE);
  }
}
