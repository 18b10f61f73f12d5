package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What TLS would not let anybody change on the way. */
@Timeout(60)
class DownloadClientTest {
  @ParameterizedTest
  @CsvSource({
    "200, 1048576, an answer with the wrong content",
    "200, 1048575, an answer of 1048575 bytes",
    "500, 1048576, status 500",
    "404, 0, status 404",
  })
  void wrongAnswerIsFound(int status, int bytes, String error) throws Exception {
    SslContext tls = Tls.server();
    Environment environment = new Environment(ByteBufAllocator.DEFAULT, Transport.NIO, 1);
    try (Server server =
            ChannelServer.start(
                environment,
                channel ->
                    channel
                        .pipeline()
                        .addLast(tls.newHandler(channel.alloc()))
                        .addLast(new HttpServerCodec())
                        .addLast(new WrongAnswer(HttpResponseStatus.valueOf(status), bytes)));
        ClosedLoop loop = new ClosedLoop(Workloads.named("tls").get(0), server.port(), 1)) {
      loop.run(1);

      assertThat(loop.firstError()).isEqualTo(error);
    }
  }

  private static final class WrongAnswer extends SimpleChannelInboundHandler<HttpRequest> {
    private final HttpResponseStatus status;
    private final int bytes;

    WrongAnswer(HttpResponseStatus status, int bytes) {
      this.status = status;
      this.bytes = bytes;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpRequest request) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(new byte[bytes]));
      response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, bytes);
      ctx.writeAndFlush(response);
    }
  }
}
