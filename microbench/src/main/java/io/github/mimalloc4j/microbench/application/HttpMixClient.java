package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Queue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends the {@link RequestMix} and checks all answers, which come in the order of
 * the requests. It belongs to its event loop.
 *
 * <p>The JDK's client would be shorter, but it sends some requests again when a connection is lost,
 * which is an error here.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class HttpMixClient extends OrderedClient<HttpObject> {
  /** Of all bodies: each is a part of it, so that answers to different requests differ. */
  private static final int PATTERN_BYTES = 2 * RequestMix.LARGEST;

  private static final int PATTERN_SEED = 1;

  /** A step through the pattern, so that neighbouring bodies differ from their first byte on. */
  private static final int OFFSET_STEP = 7919;

  private static final ByteBuf HELLO =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("Hello, World!", StandardCharsets.US_ASCII).asReadOnly());

  private static final ByteBuf PATTERN = pattern();

  /** The fractions of its multiples are spread evenly over 0 to 1, however many there are. */
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final int[] sizes;
  private final Queue<ByteBuf> expected = new ArrayDeque<>();

  private int next;
  private int sent;

  /** Of the first expected answer. */
  private int received;

  /** What is wrong with it, as far as it has come. */
  private @Nullable String wrong;

  private HttpMixClient(int[] sizes, int first) {
    this.sizes = sizes;
    this.next = first;
  }

  /**
   * Makes clients that send requests with bodies of some sizes, again and again.
   *
   * <p>Each of a load's connections begins elsewhere in the mix, or all would send their large
   * bodies at the same time; those of the next load begin where these began.
   */
  static Connector connector(int[] sizes, boolean tls) {
    Places places = new Places();
    return (loop, port) -> {
      @Nullable SslContext ssl = tls ? Tls.client() : null;
      int place = places.take();
      HttpMixClient client = new HttpMixClient(sizes, (int) (place * GOLDEN % 1 * sizes.length));
      ClientChannel.connect(
          loop,
          port,
          channel -> {
            channel.closeFuture().addListener(closed -> places.giveBack(place));
            client.addTo(channel, ssl);
          },
          Tls::handshake);
      return client;
    };
  }

  private void addTo(Channel channel, @Nullable SslContext ssl) {
    if (ssl != null) {
      channel.pipeline().addLast(ssl.newHandler(channel.alloc()));
    }
    channel.pipeline().addLast(new HttpClientCodec(), this);
  }

  /** The JDK's, so that the collector frees it; direct, so that sending it takes no copy. */
  private static ByteBuf pattern() {
    byte[] bytes = new byte[PATTERN_BYTES];
    new Random(PATTERN_SEED).nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(buffer).asReadOnly());
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    FullHttpRequest request = request(sizes[next]);
    next = (next + 1) % sizes.length;
    sent++;
    ctx.write(request);
  }

  private FullHttpRequest request(int size) {
    FullHttpRequest request;
    if (size == RequestMix.NO_BODY) {
      expected.add(HELLO);
      request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/plaintext");
    } else {
      int offset = (int) ((long) sent * OFFSET_STEP % (PATTERN_BYTES - size + 1));
      ByteBuf body = PATTERN.slice(offset, size);
      expected.add(body);
      request =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", body.duplicate());
      request.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, size);
    }
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    @Nullable ByteBuf first = expected.peek();
    if (message.decoderResult().isFailure()) {
      breakOff("an answer that is not HTTP: " + message.decoderResult().cause());
    } else if (first == null) {
      breakOff("an answer without a pending request");
    } else {
      check(message, first);
    }
  }

  private void check(HttpObject message, ByteBuf first) {
    if (message instanceof HttpResponse response) {
      require(
          response.status().equals(HttpResponseStatus.OK), "status " + response.status().code());
    }
    if (message instanceof HttpContent content) {
      int length = content.content().readableBytes();
      require(isExpected(content.content(), length, first), "an answer with the wrong content");
      received += length;
    }
    if (message instanceof LastHttpContent) {
      int all = first.readableBytes();
      require(received == all, "an answer of " + received + " bytes instead of " + all);
      @Nullable String error = wrong;
      received = 0;
      wrong = null;
      expected.remove();
      answered(error);
    }
  }

  private boolean isExpected(ByteBuf part, int length, ByteBuf whole) {
    return length <= whole.readableBytes() - received
        && ByteBufUtil.equals(
            part, part.readerIndex(), whole, whole.readerIndex() + received, length);
  }

  /** Keeps the first error of an answer. */
  private void require(boolean condition, String error) {
    if (wrong == null && !condition) {
      wrong = error;
    }
  }

  /** Numbers from 0 for the connections that are open at a time. */
  private static final class Places {
    private final BitSet taken = new BitSet();

    synchronized int take() {
      int free = taken.nextClearBit(0);
      taken.set(free);
      return free;
    }

    synchronized void giveBack(int place) {
      taken.clear(place);
    }
  }
}
