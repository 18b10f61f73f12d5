package com.example;

import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpVersion;

/** An HTTP server: "/" returns the name of the connection's allocator, "/metrics" the metrics. */
public final class HttpServer {

  private HttpServer() {}

  public static void main(String... args) throws InterruptedException {
    MiMalloc.install(); // Before anything uses Netty.

    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(metrics);

    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
        .channel(NioServerSocketChannel.class)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new HttpServerCodec(),
                        new HttpServerKeepAliveHandler(),
                        new HttpObjectAggregator(1 << 20),
                        new Answers(metrics));
              }
            })
        .bind(port)
        .sync();
    System.out.println("http://localhost:" + port);
  }

  private static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {

    private final PrometheusMeterRegistry metrics;

    Answers(PrometheusMeterRegistry metrics) {
      this.metrics = metrics;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      switch (request.uri()) {
        case "/" ->
            answer(
                context, HttpResponseStatus.OK, context.alloc().getClass().getSimpleName() + "\n");
        case "/metrics" -> answer(context, HttpResponseStatus.OK, metrics.scrape());
        default -> answer(context, HttpResponseStatus.NOT_FOUND, "");
      }
    }

    private static void answer(
        ChannelHandlerContext context, HttpResponseStatus status, String text) {
      ByteBuf body = ByteBufUtil.writeUtf8(context.alloc(), text);
      FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
          .setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
      context.writeAndFlush(response);
    }
  }
}
