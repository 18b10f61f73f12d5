package io.github.mimalloc4j.microbench.endtoend;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
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
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A load made by this JVM: connections of Netty, on event loops of their own and with one of
 * Netty's allocators whichever is measured, that send the {@link RequestMix} and check all answers.
 * An instance is one connection. It sends a request, checks the answer, sends the next, and in the
 * end closes the connection. It belongs to the connection's event loop; others read what it found
 * when that has ended.
 *
 * <p>The JDK's client would be shorter, but it sends some requests again when a connection is lost,
 * which is an error here.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class OwnLoad extends SimpleChannelInboundHandler<HttpObject> {
  /** Of all bodies: each is a part of it, so that answers to different requests differ. */
  private static final int PATTERN_BYTES = 2 * RequestMix.LARGEST;

  private static final int PATTERN_SEED = 1;

  /** A step through the pattern, so that neighbouring bodies differ from their first byte on. */
  private static final int OFFSET_STEP = 7919;

  private static final ByteBuf HELLO =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer("Hello, World!", StandardCharsets.US_ASCII).asReadOnly());

  private final String host;
  private final int[] sizes;
  private final ByteBuf pattern;
  private final Histogram latencyMicros = LoadResult.emptyHistogram();

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

  private OwnLoad(String host, int[] sizes, int first, ByteBuf pattern) {
    this.host = host;
    this.sizes = sizes;
    this.next = first;
    this.pattern = pattern;
  }

  static LoadResult run(URI server, int connections, Duration time)
      throws IOException, InterruptedException {
    byte[] bytes = new byte[PATTERN_BYTES];
    new Random(PATTERN_SEED).nextBytes(bytes);
    // Direct, so that sending it takes no copy.
    ByteBuf pattern = Unpooled.directBuffer(PATTERN_BYTES).writeBytes(bytes);
    EventLoopGroup group =
        new MultiThreadIoEventLoopGroup(LoadTool.threads(connections), NioIoHandler.newFactory());
    List<OwnLoad> clients = new ArrayList<>();
    try {
      connect(group, server, connections, pattern, clients);
      long end = System.nanoTime() + time.toNanos();
      for (OwnLoad client : clients) {
        client.endNanos = end; // Handed over with the task.
        client.context().executor().execute(client::send);
      }
      long patience = end + LoadTool.PATIENCE.toNanos();
      for (OwnLoad client : clients) {
        Future<?> closed = client.context().channel().closeFuture();
        if (!closed.await(patience - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          String error = "no answer for " + LoadTool.PATIENCE.toSeconds() + " s";
          client.context().executor().submit(() -> client.fail(error)).await();
        }
      }
    } finally {
      // What the clients counted can be read when their threads have ended.
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      pattern.release();
    }
    return sum(clients, time);
  }

  private static void connect(
      EventLoopGroup group, URI server, int connections, ByteBuf pattern, List<OwnLoad> clients)
      throws IOException, InterruptedException {
    @Nullable SslContext ssl = server.getScheme().equals("https") ? trusting() : null;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .option(ChannelOption.TCP_NODELAY, true)
            .remoteAddress(server.getHost(), server.getPort());
    int[] sizes = RequestMix.draw();
    List<ChannelFuture> connecting = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      // Each begins somewhere else, or all would send their large bodies at the same time.
      int first = (int) ((long) i * sizes.length / connections);
      OwnLoad client = new OwnLoad(server.getAuthority(), sizes, first, pattern);
      clients.add(client);
      connecting.add(bootstrap.clone().handler(client.pipeline(ssl)).connect());
    }
    for (ChannelFuture connected : connecting) {
      if (!connected.await().isSuccess()) {
        throw new IOException("cannot connect to " + server, connected.cause());
      }
      @Nullable SslHandler tls = connected.channel().pipeline().get(SslHandler.class);
      if (tls != null && !tls.handshakeFuture().await().isSuccess()) {
        throw new IOException("TLS handshake failed", tls.handshakeFuture().cause());
      }
    }
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
        channel.pipeline().addLast(new HttpClientCodec(), OwnLoad.this);
      }
    };
  }

  private static LoadResult sum(List<OwnLoad> clients, Duration time) {
    Histogram micros = LoadResult.emptyHistogram();
    clients.forEach(client -> micros.add(client.latencyMicros));
    return new LoadResult(
        micros.getTotalCount(),
        time.toNanos() / 1e9,
        LoadResult.Latency.of(micros),
        clients.stream().mapToLong(client -> client.errors).sum(),
        clients.stream()
            .map(client -> client.firstError)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null));
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** After the connection was made; any thread. */
  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
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
    firstError = Objects.requireNonNullElse(firstError, error);
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
  private void fail(String error) {
    if (!ended) {
      count(error);
      end();
    }
  }

  private void end() {
    ended = true;
    context().close();
  }
}
