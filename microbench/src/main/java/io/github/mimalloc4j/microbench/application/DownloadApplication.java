package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.application.Http1Client.Exchange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpChunkedInput;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.stream.ChunkedStream;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Large responses over TLS, by HTTP/1.1. Netty reads them from a stream, in chunks as the client
 * takes them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class DownloadApplication implements Application {
  /** How many files there are: {@code GET /0} and so on. */
  static final int FILES = 16;

  static final int FILE_BYTES = 1 << 20;

  private static final int FILE_STEP = 64 << 10;

  /** The files overlap. */
  private static final byte[] BYTES = new byte[FILE_BYTES + FILES * FILE_STEP];

  static {
    new Random(1).nextBytes(BYTES);
  }

  private DownloadApplication() {}

  static List<Workload> workloads() {
    return List.of(
        new Workload(
            "tls",
            "download",
            "GET of 1 MiB over TLS",
            new DownloadApplication(),
            (loop, port) -> Http1Client.connect(loop, port, true, downloads(), () -> {}),
            1,
            new Wrk("https", "/0", new int[] {Wrk.GET})));
  }

  /** One file after the other, again and again. */
  private static Supplier<Exchange> downloads() {
    int[] sent = {0};
    return () -> {
      int file = sent[0]++ % FILES;
      ByteBuf content = Unpooled.wrappedBuffer(BYTES, file * FILE_STEP, FILE_BYTES);
      return new Exchange("/" + file, null, content);
    };
  }

  /** A file's content. */
  static ByteArrayInputStream file(int number) {
    return new ByteArrayInputStream(BYTES, number * FILE_STEP, FILE_BYTES);
  }

  @Override
  public Server start(Environment environment) throws IOException {
    SslContext tls = Tls.server();
    return ChannelServer.start(environment, channel -> addHandlers(channel, tls));
  }

  private static void addHandlers(Channel channel, SslContext tls) {
    channel
        .pipeline()
        .addLast(tls.newHandler(channel.alloc()))
        .addLast(new HttpServerCodec())
        .addLast(new ChunkedWriteHandler())
        .addLast(new Files());
  }

  private static final class Files extends RequestHandler<HttpObject> {
    private static final List<String> PATHS =
        IntStream.range(0, FILES).mapToObj(file -> "/" + file).toList();

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
      if (message instanceof HttpRequest request) { // Else the end of one.
        int file = PATHS.indexOf(request.uri());
        if (file >= 0) {
          send(ctx, file);
        } else {
          ctx.write(HttpHandler.empty(HttpResponseStatus.NOT_FOUND));
        }
      }
    }

    private static void send(ChannelHandlerContext ctx, int file) {
      HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
      head.headers()
          .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM)
          .setInt(HttpHeaderNames.CONTENT_LENGTH, FILE_BYTES);
      ctx.write(head);
      ctx.write(new HttpChunkedInput(new ChunkedStream(file(file))));
    }
  }
}
