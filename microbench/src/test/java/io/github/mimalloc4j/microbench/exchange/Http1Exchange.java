package io.github.mimalloc4j.microbench.exchange;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.application.HttpServer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Bodies of 64 KiB and 16 MiB through the HTTPS server and back. */
final class Http1Exchange {

  private Http1Exchange() {}

  static void run(Ends ends) throws Exception {
    HttpServer.Config config = new HttpServer.Config(AllocatorKind.MIMALLOC, "127.0.0.1", 0, true);
    try (HttpServer server = HttpServer.start(config, ends.allocator())) {
      SslContext tls = SslContextBuilder.forClient().trustManager(server.certificate()).build();
      Queue<Body> expected = new ConcurrentLinkedQueue<>();
      Channel channel =
          ends.connect(
                  ends.loop(),
                  new InetSocketAddress(config.host(), server.port()),
                  connection -> setUp(connection, tls, expected))
              .sync()
              .channel();
      for (int size : new int[] {64 << 10, HttpServer.MAX_BODY, 64 << 10}) {
        Body body = ends.body(size);
        expected.add(body);
        DefaultFullHttpRequest request =
            new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", body.nextPart(size));
        request.headers().set(HttpHeaderNames.HOST, "localhost");
        request.headers().set(HttpHeaderNames.CONTENT_LENGTH, size);
        channel.writeAndFlush(request).sync();
        body.await();
      }
      channel.close().sync();
    }
  }

  private static void setUp(Channel channel, SslContext tls, Queue<Body> expected) {
    channel
        .pipeline()
        .addLast(tls.newHandler(channel.alloc(), "localhost", 0))
        .addLast(new HttpClientCodec())
        .addLast(new HttpObjectAggregator(HttpServer.MAX_BODY))
        .addLast(new Receiver(expected));
  }

  private static final class Receiver extends ChannelInboundHandlerAdapter {
    private final Queue<Body> expected;

    Receiver(Queue<Body> expected) {
      this.expected = expected;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      Body body = expected.remove();
      body.receive(((FullHttpResponse) message).content());
      body.end();
    }
  }
}
