package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose answers are known byte by byte and come in the order of the requests. To
 * compare bytes takes less than to decode them, and leaves more of the machine to the server.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class ByteClient extends OrderedClient<ByteBuf> {
  /** How much of a wrong answer an error shows. */
  private static final int SHOWN = 60;

  /** A request and its answer; neither is ever released or changed. */
  record Exchange(ByteBuf request, ByteBuf answer) {
    static Exchange of(String request, String answer) {
      return new Exchange(
          constant(request.getBytes(StandardCharsets.ISO_8859_1)),
          constant(answer.getBytes(StandardCharsets.ISO_8859_1)));
    }
  }

  private final Supplier<Exchange> exchanges;
  private final Queue<ByteBuf> answers = new ArrayDeque<>();

  /** Bytes of the first answer that have come. */
  private int matched;

  private ByteClient(Supplier<Exchange> exchanges) {
    this.exchanges = exchanges;
  }

  /** Makes clients that have a sequence of exchanges each. */
  static Connector connector(Supplier<Supplier<Exchange>> sequences) {
    return (loop, port) -> {
      ByteClient client = new ByteClient(sequences.get());
      ClientChannel.connect(
          loop, port, channel -> channel.pipeline().addLast(client), Channel::newSucceededFuture);
      return client;
    };
  }

  /** Direct, so that sending it takes no copy; the JDK's, so that the collector frees it. */
  static ByteBuf constant(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(buffer).asReadOnly());
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    Exchange exchange = exchanges.get();
    answers.add(exchange.answer());
    ctx.write(exchange.request().duplicate());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf received) {
    while (received.isReadable() && !isLost()) {
      match(received);
    }
  }

  private void match(ByteBuf received) {
    @Nullable ByteBuf answer = answers.peek();
    if (answer == null) {
      breakOff("an answer without a pending request: " + shown(received));
      return;
    }
    int length = Math.min(received.readableBytes(), answer.readableBytes() - matched);
    int from = answer.readerIndex() + matched;
    if (!ByteBufUtil.equals(answer, from, received, received.readerIndex(), length)) {
      // After one wrong byte nobody knows where the next answer begins.
      breakOff("a wrong answer, after " + matched + " correct bytes: " + shown(received));
      return;
    }
    received.skipBytes(length);
    matched += length;
    if (matched == answer.readableBytes()) {
      matched = 0;
      answers.remove();
      answered(null);
    }
  }

  private static String shown(ByteBuf bytes) {
    int length = Math.min(bytes.readableBytes(), SHOWN);
    return bytes
        .toString(bytes.readerIndex(), length, StandardCharsets.US_ASCII)
        .replace("\r", "\\r")
        .replace("\n", "\\n");
  }
}
