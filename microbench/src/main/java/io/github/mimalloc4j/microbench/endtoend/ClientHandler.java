package io.github.mimalloc4j.microbench.endtoend;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One connection of {@link OwnLoad}: sends a request, checks the answer, sends the next, and in the
 * end closes the connection.
 *
 * <p>For the connection's event loop; others read what it found when that has ended.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class ClientHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final ByteBuf HELLO =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("Hello, World!", StandardCharsets.US_ASCII).asReadOnly());

  /** A step through the pattern, so that neighbouring bodies differ from their first byte on. */
  private static final int OFFSET_STEP = 7919;

  private final String host;
  private final int[] sizes;
  private final ByteBuf pattern;
  private final Histogram latencyMicros = OwnLoad.emptyHistogram();

  private @Nullable ChannelHandlerContext context;
  private long endNanos;
  private boolean ended;
  private int next;
  private int sent;

  private long sentNanos;
  private ByteBuf expected = Unpooled.EMPTY_BUFFER;
  private int received;
  private boolean correct;

  private long errors;
  private @Nullable String firstError;

  /**
   * Makes one for a connection.
   *
   * @param host for the header of that name
   * @param sizes of the bodies
   * @param first the index of the size to begin with
   * @param pattern of which all bodies are parts
   */
  ClientHandler(String host, int[] sizes, int first, ByteBuf pattern) {
    this.host = host;
    this.sizes = sizes;
    this.next = first;
    this.pattern = pattern;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** After the connection was made; any thread. */
  ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  /** Begins with the requests, unless the connection is lost already. */
  void start(long end) {
    endNanos = end;
    send();
  }

  private void send() {
    if (System.nanoTime() - endNanos >= 0) {
      end();
    }
    if (!ended) {
      FullHttpRequest request = request(sizes[next]);
      next = (next + 1) % sizes.length;
      sent++;
      received = 0;
      correct = false;
      sentNanos = System.nanoTime();
      context().writeAndFlush(request);
    }
  }

  private FullHttpRequest request(int size) {
    FullHttpRequest request;
    if (size == RequestMix.NO_BODY) {
      expected = HELLO;
      request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/plaintext");
    } else {
      int offset = (int) ((long) sent * OFFSET_STEP % (pattern.capacity() - size + 1));
      expected = pattern.slice(offset, size);
      request =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", expected.retainedDuplicate());
      request.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, size);
    }
    request.headers().set(HttpHeaderNames.HOST, host);
    return request;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message.decoderResult().isFailure()) {
      fail("an answer that is not HTTP: " + message.decoderResult().cause());
      return;
    }
    if (message instanceof HttpResponse response) {
      correct = true;
      require(
          response.status().equals(HttpResponseStatus.OK), "status " + response.status().code());
    }
    if (message instanceof HttpContent content) {
      int length = content.content().readableBytes();
      require(isExpected(content.content(), length), "an answer with the wrong content");
      received += length;
    }
    if (message instanceof LastHttpContent) {
      int all = expected.readableBytes();
      require(received == all, "an answer of " + received + " bytes instead of " + all);
      long now = System.nanoTime();
      if (correct && now - endNanos < 0) {
        latencyMicros.recordValue((now - sentNanos) / 1000);
      }
      send();
    }
  }

  private boolean isExpected(ByteBuf part, int length) {
    return length <= expected.readableBytes() - received
        && ByteBufUtil.equals(
            part, part.readerIndex(), expected, expected.readerIndex() + received, length);
  }

  /** Counts the first error of an answer. */
  private void require(boolean condition, String error) {
    if (correct && !condition) {
      correct = false;
      count(error);
    }
  }

  private void count(String error) {
    errors++;
    if (firstError == null) {
      firstError = error;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail("connection lost");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(cause.toString());
  }

  /** Gives the connection up; it counts as one error. */
  void fail(String error) {
    if (!ended) {
      count(error);
      end();
    }
  }

  private void end() {
    ended = true;
    context().close();
  }

  Histogram latencyMicros() {
    return latencyMicros;
  }

  long errors() {
    return errors;
  }

  @Nullable String firstError() {
    return firstError;
  }
}
