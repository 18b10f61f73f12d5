package io.github.mimalloc4j.microbench.application;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose answers are known byte by byte and come in the order of the requests. To
 * compare bytes takes less than to decode them, and leaves more of the machine to the server.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class ByteClient extends ChannelInboundHandlerAdapter implements Client {
  /** How much of a wrong answer an error shows. */
  private static final int SHOWN = 60;

  /** A request and its answer; neither is ever released or changed. */
  record Exchange(ByteBuf request, ByteBuf answer) {
    static Exchange of(String request, String answer) {
      return new Exchange(constant(request), constant(answer));
    }

    private static ByteBuf constant(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      // Direct, so that sending it takes no copy; the JDK's, so that the collector frees it.
      ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(buffer).asReadOnly());
    }
  }

  private record Pending(ByteBuf answer, Completion completion) {}

  private final Supplier<Exchange> exchanges;
  private final Queue<Pending> pending = new ArrayDeque<>();

  /** Bytes of the first pending answer that have come. */
  private int matched;

  private @Nullable ChannelHandlerContext context;
  private @Nullable String failure;

  private ByteClient(Supplier<Exchange> exchanges) {
    this.exchanges = exchanges;
  }

  /** Makes clients that have a sequence of exchanges each. */
  static Connector connector(Supplier<Supplier<Exchange>> sequences) {
    return (loop, port) -> connect(loop, port, new ByteClient(sequences.get()));
  }

  private static Client connect(EventLoop loop, int port, ByteClient client)
      throws IOException, InterruptedException {
    ChannelFuture connected =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(client)
            .connect(InetAddress.getLoopbackAddress(), port)
            .await();
    if (!connected.isSuccess()) {
      throw new IOException("cannot connect: " + connected.cause().getMessage(), connected.cause());
    }
    return client;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

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
    Exchange exchange = exchanges.get();
    pending.add(new Pending(exchange.answer(), completion));
    context().write(exchange.request().duplicate());
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
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf received = (ByteBuf) message;
    try {
      while (received.isReadable() && failure == null) {
        match(received);
      }
    } finally {
      received.release();
    }
  }

  private void match(ByteBuf received) {
    @Nullable Pending first = pending.peek();
    if (first == null) {
      fail("an answer without a request: " + shown(received));
      return;
    }
    ByteBuf answer = first.answer();
    int length = Math.min(received.readableBytes(), answer.readableBytes() - matched);
    int from = answer.readerIndex() + matched;
    if (!ByteBufUtil.equals(answer, from, received, received.readerIndex(), length)) {
      fail("a wrong answer, after " + matched + " correct bytes: " + shown(received));
      return;
    }
    received.skipBytes(length);
    matched += length;
    if (matched == answer.readableBytes()) {
      matched = 0;
      pending.remove().completion().completed(null);
    }
  }

  private static String shown(ByteBuf bytes) {
    int length = Math.min(bytes.readableBytes(), SHOWN);
    return bytes
        .toString(bytes.readerIndex(), length, StandardCharsets.US_ASCII)
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    fail("connection lost");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(cause.toString());
  }

  /** After one wrong byte nobody knows where the next answer begins, so this ends all of them. */
  private void fail(String error) {
    if (failure == null) {
      failure = error;
      for (Pending each = pending.poll(); each != null; each = pending.poll()) {
        each.completion().completed(error);
      }
      context().close();
    }
  }
}
