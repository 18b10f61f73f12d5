package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Downloads one file after the other; lengths and check sums have to be right. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class DownloadClient extends OrderedClient<HttpObject> {
  private static final long[] SUMS = sums();

  private int requested;
  private int answered;
  private HttpResponseStatus status = HttpResponseStatus.OK;
  private int received;
  private final CRC32C sum = new CRC32C();

  private DownloadClient() {}

  private static long[] sums() {
    long[] sums = new long[DownloadApplication.FILES];
    CRC32C sum = new CRC32C();
    for (int i = 0; i < sums.length; i++) {
      sum.reset();
      sum.update(DownloadApplication.file(i).readAllBytes());
      sums[i] = sum.getValue();
    }
    return sums;
  }

  static DownloadClient connect(EventLoop loop, int port) throws IOException, InterruptedException {
    DownloadClient client = new DownloadClient();
    SslContext tls = Tls.client();
    ClientChannel.connect(loop, port, channel -> client.addTo(channel, tls), Tls::handshake);
    return client;
  }

  private void addTo(Channel channel, SslContext tls) {
    channel
        .pipeline()
        .addLast(tls.newHandler(channel.alloc()))
        .addLast(new HttpClientCodec())
        .addLast(this);
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    HttpRequest request =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.GET,
            "/" + requested++ % DownloadApplication.FILES,
            Unpooled.EMPTY_BUFFER);
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    ctx.write(request);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message.decoderResult().isFailure()) {
      breakOff("an answer that is not HTTP: " + message.decoderResult().cause());
      return;
    }
    if (message instanceof HttpResponse response) {
      status = response.status();
      received = 0;
      sum.reset();
    }
    if (message instanceof HttpContent content) {
      ByteBuf bytes = content.content();
      received += bytes.readableBytes();
      if (bytes.isReadable()) {
        sum.update(bytes.nioBuffer());
      }
    }
    if (message instanceof LastHttpContent) {
      answered(error(answered++ % DownloadApplication.FILES));
    }
  }

  private @Nullable String error(int file) {
    if (!status.equals(HttpResponseStatus.OK)) {
      return "status " + status.code();
    }
    if (received != DownloadApplication.FILE_BYTES) {
      return "an answer of %d bytes".formatted(received);
    }
    return sum.getValue() == SUMS[file] ? null : "an answer with the wrong content";
  }
}
