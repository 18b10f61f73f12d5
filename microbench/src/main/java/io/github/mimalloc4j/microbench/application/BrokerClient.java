package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to a topic, and fetches from it after so many messages, which is its pace: connections
 * differ in that. Each message that comes has to be whole, and of its own none may be missing that
 * was kept.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class BrokerClient extends OrderedClient<ByteBuf> {
  private static final int[] PACES = {2, 8, 32, 128};

  /** Senders begin so far from each other in the sizes. */
  private static final int SENDER_STEP = 1031;

  /** By the count of a sender's messages. */
  private static final int[] SIZES =
      SizePattern.of("loguniform 64 " + Content.MAX_BYTES).draw(1 << 12, 1);

  private static final int PUBLISH_BYTES = 1 + 4;
  private static final int FETCH_BYTES = 1 + 4 + 8 + 4;

  /** Connections that are open: those of the next load are numbered as those of this one. */
  private static final AtomicInteger open = new AtomicInteger();

  final int topic;
  final int pace;
  private final long first = Content.firstStamp();

  /** For each request under way, how many messages it is to fetch; 0 if it publishes one. */
  private final Queue<Integer> requests = new ArrayDeque<>();

  private long published = first;
  private int sinceFetch;
  private boolean fetching;

  /** Where to go on. */
  private long nextOffset;

  /** That of the last own message that the broker has. */
  private long lastOffset = -1;

  /** The stamp of the last own message that came back. */
  private long fetched = first;

  /** Whether the broker has dropped messages since, own ones perhaps among them. */
  private boolean dropped;

  BrokerClient(int number) {
    pace = PACES[number % PACES.length];
    topic = (number + number / PACES.length) % BrokerApplication.TOPICS;
  }

  static BrokerClient connect(EventLoop loop, int port) throws IOException, InterruptedException {
    BrokerClient client = new BrokerClient(open.getAndIncrement());
    ClientChannel.connect(
        loop,
        port,
        channel -> {
          channel.closeFuture().addListener(future -> open.decrementAndGet());
          channel.pipeline().addLast(BrokerApplication.frameDecoder()).addLast(client);
        },
        Tls::handshake);
    return client;
  }

  static int size(long stamp) {
    return SIZES[(int) (stamp + Content.senderOf(stamp) * SENDER_STEP) & SIZES.length - 1];
  }

  @Override
  void write(ChannelHandlerContext ctx) {
    // One at a time: it has to begin where the one before it ended.
    if (sinceFetch >= pace && !fetching) {
      requests.add(sinceFetch);
      ctx.write(fetch(ctx, sinceFetch));
      sinceFetch = 0;
      fetching = true;
    } else {
      requests.add(0);
      ctx.write(publish(ctx, ++published));
      sinceFetch++;
    }
  }

  private ByteBuf publish(ChannelHandlerContext ctx, long stamp) {
    int size = size(stamp);
    int length = PUBLISH_BYTES + BrokerApplication.LENGTH_BYTES + size;
    ByteBuf frame =
        ctx.alloc()
            .buffer(BrokerApplication.LENGTH_BYTES + length)
            .writeInt(length)
            .writeByte(BrokerApplication.PUBLISH)
            .writeInt(topic)
            .writeInt(size);
    Content.write(frame, stamp, size);
    return frame;
  }

  private ByteBuf fetch(ChannelHandlerContext ctx, int most) {
    return ctx.alloc()
        .buffer(BrokerApplication.LENGTH_BYTES + FETCH_BYTES)
        .writeInt(FETCH_BYTES)
        .writeByte(BrokerApplication.FETCH)
        .writeInt(topic)
        .writeLong(nextOffset)
        .writeInt(most);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
    Integer most = requests.poll();
    if (most == null) {
      breakOff("an answer without a pending request");
      return;
    }
    byte type = frame.readByte();
    if (most == 0 && type == BrokerApplication.PUBLISHED) {
      answered(checkOffset(frame.readLong()));
    } else if (most > 0 && type == BrokerApplication.FETCHED) {
      fetching = false;
      answered(checkBatch(frame, most));
    } else {
      breakOff("an answer of type " + type);
    }
  }

  private @Nullable String checkOffset(long offset) {
    boolean later = offset > lastOffset;
    lastOffset = offset;
    return later ? null : "an offset that is not above the last one";
  }

  private @Nullable String checkBatch(ByteBuf frame, int most) {
    long from = frame.readLong();
    int count = frame.readInt();
    boolean allowed = from == nextOffset || from > nextOffset && count > 0;
    if (!allowed || count > most || count == 0 && nextOffset <= lastOffset) {
      return "%d messages from offset %d instead of %d from %d"
          .formatted(count, from, most, nextOffset);
    }
    dropped |= from > nextOffset;
    nextOffset = from + count;
    for (int i = 0; i < count; i++) {
      int length = frame.readInt();
      if (length < Content.STAMP_BYTES || length > frame.readableBytes()) {
        return "a message of " + length + " bytes";
      }
      long stamp = Content.stampOf(frame, frame.readerIndex());
      if (length != size(stamp) || !Content.isMessage(frame, frame.readerIndex(), length, stamp)) {
        return "a message with the wrong content";
      }
      frame.skipBytes(length);
      if (Content.isSameSender(stamp, first)) {
        if (dropped ? stamp <= fetched : stamp != fetched + 1) {
          return "one of its own messages is missing or came twice";
        }
        dropped = false;
        fetched = stamp;
      }
    }
    return frame.isReadable() ? "extra bytes after the messages" : null;
  }
}
