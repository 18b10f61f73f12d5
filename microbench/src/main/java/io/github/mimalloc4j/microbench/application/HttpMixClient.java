package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
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
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Objects;
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
final class HttpMixClient extends SimpleChannelInboundHandler<HttpObject> implements Client {
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

  private record Pending(ByteBuf expected, Completion completion) {}

  private final int[] sizes;
  private final Runnable onClose;
  private final Queue<Pending> pending = new ArrayDeque<>();

  private @Nullable ChannelHandlerContext context;
  private @Nullable String failure;
  private int next;
  private int sent;

  /** Of the first pending request. */
  private int received;

  /** What is wrong with its answer, as far as that has come. */
  private @Nullable String wrong;

  private HttpMixClient(int[] sizes, int first, Runnable onClose) {
    this.sizes = sizes;
    this.next = first;
    this.onClose = onClose;
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
      int place = places.take();
      int first = (int) (place * GOLDEN % 1 * sizes.length);
      return connect(
          loop, port, tls, new HttpMixClient(sizes, first, () -> places.giveBack(place)));
    };
  }

  private static Client connect(EventLoop loop, int port, boolean tls, HttpMixClient client)
      throws IOException, InterruptedException {
    @Nullable SslContext ssl = tls ? trusting() : null;
    ChannelFuture connected =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(client.pipeline(ssl))
            .connect(InetAddress.getLoopbackAddress(), port)
            .await();
    if (!connected.isSuccess()) {
      throw new IOException("cannot connect: " + connected.cause().getMessage(), connected.cause());
    }
    @Nullable SslHandler handler = connected.channel().pipeline().get(SslHandler.class);
    if (handler != null && !handler.handshakeFuture().await().isSuccess()) {
      throw new IOException("TLS handshake failed", handler.handshakeFuture().cause());
    }
    return client;
  }

  private static SslContext trusting() throws IOException {
    return SslContextBuilder.forClient()
        .sslProvider(SslProvider.JDK)
        .trustManager(InsecureTrustManagerFactory.INSTANCE)
        .build();
  }

  private ChannelInitializer<Channel> pipeline(@Nullable SslContext ssl) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (ssl != null) {
          channel.pipeline().addLast(ssl.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(new HttpClientCodec(), HttpMixClient.this);
      }
    };
  }

  /** The JDK's, so that the collector frees it; direct, so that sending it takes no copy. */
  private static ByteBuf pattern() {
    byte[] bytes = new byte[PATTERN_BYTES];
    new Random(PATTERN_SEED).nextBytes(bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(buffer).asReadOnly());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** After the connection was made; any thread. */
  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  @Override
  public EventExecutor executor() {
    return context().executor();
  }

  @Override
  public void send(Completion completion) {
    if (failure != null) {
      completion.completed(failure);
      return;
    }
    FullHttpRequest request = request(sizes[next], completion);
    next = (next + 1) % sizes.length;
    sent++;
    context().write(request);
  }

  private FullHttpRequest request(int size, Completion completion) {
    FullHttpRequest request;
    if (size == RequestMix.NO_BODY) {
      pending.add(new Pending(HELLO, completion));
      request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/plaintext");
    } else {
      int offset = (int) ((long) sent * OFFSET_STEP % (PATTERN_BYTES - size + 1));
      ByteBuf body = PATTERN.slice(offset, size);
      pending.add(new Pending(body, completion));
      request =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", body.duplicate());
      request.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, size);
    }
    request.headers().set(HttpHeaderNames.HOST, "localhost");
    return request;
  }

  @Override
  public void flush() {
    context().flush();
  }

  @Override
  public void close() {
    fail("closed by the client");
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    @Nullable Pending first = pending.peek();
    if (message.decoderResult().isFailure()) {
      fail("an answer that is not HTTP: " + message.decoderResult().cause());
    } else if (first == null) {
      fail("an answer without a request");
    } else {
      check(message, first);
    }
  }

  private void check(HttpObject message, Pending first) {
    if (message instanceof HttpResponse response) {
      require(
          response.status().equals(HttpResponseStatus.OK), "status " + response.status().code());
    }
    if (message instanceof HttpContent content) {
      int length = content.content().readableBytes();
      require(
          isExpected(content.content(), length, first.expected()),
          "an answer with the wrong content");
      received += length;
    }
    if (message instanceof LastHttpContent) {
      int all = first.expected().readableBytes();
      require(received == all, "an answer of " + received + " bytes instead of " + all);
      @Nullable String error = wrong;
      received = 0;
      wrong = null;
      pending.remove().completion().completed(error);
    }
  }

  private boolean isExpected(ByteBuf part, int length, ByteBuf expected) {
    return length <= expected.readableBytes() - received
        && ByteBufUtil.equals(
            part, part.readerIndex(), expected, expected.readerIndex() + received, length);
  }

  /** Keeps the first error of an answer. */
  private void require(boolean condition, String error) {
    if (wrong == null && !condition) {
      wrong = error;
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

  /** Gives the connection up, and all answers that it owes. */
  private void fail(String error) {
    if (failure == null) {
      failure = error;
      for (Pending each = pending.poll(); each != null; each = pending.poll()) {
        each.completion().completed(error);
      }
      onClose.run();
      context().close();
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
