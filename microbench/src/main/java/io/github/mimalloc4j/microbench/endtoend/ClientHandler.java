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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One connection of {@link OwnLoad}: sends a request, checks the answer, sends the next.
 *
 * <p>Fields belong to the connection's event loop; others read them when that has ended.
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
  private final CountDownLatch ended = new CountDownLatch(1);

  private @Nullable ChannelHandlerContext context;
  private long endNanos;
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

  /** Begins with the requests; any thread, after the connection was made. */
  void start(long end) {
    ChannelHandlerContext ctx = context;
    if (ctx == null) {
      throw new IllegalStateException("not connected");
    }
    ctx.executor()
        .execute(
            () -> {
              endNanos = end;
              send(ctx);
            });
  }

  /** Waits until the last answer, or until the connection has failed; any other thread. */
  void awaitEnd(long nanos) throws InterruptedException {
    if (!ended.await(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
      ChannelHandlerContext ctx = context;
      if (ctx != null) {
        ctx.executor()
            .submit(() -> fail(ctx, "no answer for " + Load.PATIENCE.toSeconds() + " s"))
            .await();
      }
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  private void send(ChannelHandlerContext ctx) {
    if (ended.getCount() == 0) {
      return; // The connection was lost before it began.
    }
    if (System.nanoTime() - endNanos >= 0) {
      end(ctx);
      return;
    }
    FullHttpRequest request = request(sizes[next]);
    next = (next + 1) % sizes.length;
    sent++;
    received = 0;
    correct = false;
    sentNanos = System.nanoTime();
    ctx.writeAndFlush(request);
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
      fail(ctx, "an answer that is not HTTP: " + message.decoderResult().cause());
      return;
    }
    if (message instanceof HttpResponse response) {
      correct = response.status().equals(HttpResponseStatus.OK);
      if (!correct) {
        count("status " + response.status().code());
      }
    }
    if (message instanceof HttpContent content) {
      check(content.content());
    }
    if (message instanceof LastHttpContent) {
      answered(ctx);
    }
  }

  private void check(ByteBuf part) {
    int length = part.readableBytes();
    if (correct) {
      correct =
          length <= expected.readableBytes() - received
              && ByteBufUtil.equals(
                  part, part.readerIndex(), expected, expected.readerIndex() + received, length);
      if (!correct) {
        count("an answer with the wrong content");
      }
    }
    received += length;
  }

  private void answered(ChannelHandlerContext ctx) {
    if (correct && received != expected.readableBytes()) {
      count("an answer of " + received + " bytes instead of " + expected.readableBytes());
    } else if (correct) {
      long now = System.nanoTime();
      if (now - endNanos < 0) {
        latencyMicros.recordValue((now - sentNanos) / 1000);
      }
    }
    send(ctx);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail(ctx, "connection lost");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(ctx, cause.toString());
  }

  /** Gives the connection up; it counts as one error. */
  private void fail(ChannelHandlerContext ctx, String error) {
    if (ended.getCount() != 0) {
      count(error);
      end(ctx);
    }
  }

  private void end(ChannelHandlerContext ctx) {
    ended.countDown();
    ctx.close();
  }

  private void count(String error) {
    errors++;
    if (firstError == null) {
      firstError = error;
    }
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
