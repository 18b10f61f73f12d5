package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.application.ByteClient.Exchange;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/** HTTP/1.1 with small answers: each is a head and 13 bytes. */
final class Plaintext {
  private static final String REQUEST = "GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String ANSWER =
      "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 13\r\n\r\nHello, World!";

  private static final int PIPELINED = 32;

  private Plaintext() {}

  static List<Workload> workloads() {
    return List.of(
        workload("pipelined", "GET, 32 at a time on each connection", PIPELINED),
        workload("single", "GET, one at a time on each connection", 1));
  }

  private static Workload workload(String variant, String description, int pipelined) {
    Exchange exchange = Exchange.of(REQUEST, ANSWER);
    return new Workload(
        "plaintext",
        variant,
        description,
        Plaintext::start,
        ByteClient.connector(() -> () -> exchange),
        pipelined,
        new Wrk("http", "/plaintext", new int[] {Wrk.GET}));
  }

  private static Server start(Environment environment) throws Exception {
    return ChannelServer.start(
        environment, channel -> channel.pipeline().addLast(new HttpServerCodec(), new Handler()));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
  private static final class Handler extends RequestHandler<HttpObject> {
    private boolean known;

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
      if (message instanceof HttpRequest request) {
        known = request.decoderResult().isSuccess() && request.uri().equals("/plaintext");
      }
      if (message instanceof LastHttpContent) {
        ctx.write(
            known ? HttpHandler.plaintext(ctx) : HttpHandler.empty(HttpResponseStatus.NOT_FOUND));
      }
    }
  }
}
