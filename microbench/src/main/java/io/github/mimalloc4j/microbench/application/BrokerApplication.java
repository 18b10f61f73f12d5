package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A message broker. Producers publish to topics, which keep the last messages; consumers fetch them
 * in batches when they like. So messages live for very different times, and most are released by
 * another event loop than that which received them.
 *
 * <p>All frames begin with their length, of 4 bytes, and a type, of one. A message has its own
 * length of 4 bytes before it, and is sent as it came.
 *
 * <table>
 *   <caption>Frames</caption>
 *   <tr><td>PUBLISH<td>topic (4), message
 *   <tr><td>PUBLISHED<td>offset (8)
 *   <tr><td>FETCH<td>topic (4), first offset (8), most messages (4)
 *   <tr><td>FETCHED<td>first offset (8), messages (4), then these
 * </table>
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class BrokerApplication implements Application {
  static final byte PUBLISH = 1;
  static final byte PUBLISHED = 2;
  static final byte FETCH = 3;
  static final byte FETCHED = 4;

  static final int LENGTH_BYTES = 4;

  /** How many messages each topic keeps: from those that are gone soon to those that stay. */
  private static final int[] KEPT = {16, 64, 256, 1024};

  /** Of all topics. */
  static final int TOPICS = KEPT.length;

  private static final int TOPIC_BYTES = 8 << 20;
  private static final int BATCH_BYTES = 512 << 10;

  /** A batch of one message, however large, and its head. */
  private static final int MAX_FRAME_BYTES = BATCH_BYTES + 1024;

  private static final int PUBLISHED_BYTES = 1 + 8;
  private static final int FETCHED_BYTES = 1 + 8 + 4;
  private static final int PIPELINED = 8;

  private BrokerApplication() {}

  static List<Workload> workloads() {
    return List.of(
        new Workload(
            "broker",
            "queue",
            "messages of 64 B to 64 KiB, kept by topics; each connection fetches at its own pace",
            new BrokerApplication(),
            BrokerClient::connect,
            PIPELINED,
            null));
  }

  /** What tells the frames of a connection apart; the same for both of its ends. */
  static LengthFieldBasedFrameDecoder frameDecoder() {
    return new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
  }

  @Override
  public Server start(Environment environment) throws IOException {
    List<Topic> topics = IntStream.of(KEPT).mapToObj(kept -> new Topic(kept, TOPIC_BYTES)).toList();
    return ChannelServer.start(environment, channel -> addHandlers(channel, topics))
        .onClosed(() -> topics.forEach(Topic::close));
  }

  private static void addHandlers(Channel channel, List<Topic> topics) {
    channel
        .pipeline()
        .addLast(frameDecoder())
        .addLast(new Requests(topics))
        .addLast(ReadWhileWritable.INSTANCE);
  }

  private static final class Requests extends RequestHandler<ByteBuf> {
    private final List<Topic> topics;

    Requests(List<Topic> topics) {
      this.topics = topics;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf frame) {
      byte type = frame.readByte();
      Topic topic = topics.get(frame.readInt());
      switch (type) {
        case PUBLISH -> publish(ctx, topic, frame);
        case FETCH -> fetch(ctx, topic, frame.readLong(), frame.readInt());
        default -> throw new CorruptedFrameException("type " + type);
      }
    }

    private static void publish(ChannelHandlerContext ctx, Topic topic, ByteBuf frame) {
      long offset = topic.publish(frame.readRetainedSlice(frame.readableBytes()));
      ctx.write(
          ctx.alloc()
              .buffer(LENGTH_BYTES + PUBLISHED_BYTES)
              .writeInt(PUBLISHED_BYTES)
              .writeByte(PUBLISHED)
              .writeLong(offset));
    }

    private static void fetch(ChannelHandlerContext ctx, Topic topic, long from, int most) {
      Topic.Batch batch = topic.fetch(from, most, BATCH_BYTES);
      ctx.write(
          ctx.alloc()
              .buffer(LENGTH_BYTES + FETCHED_BYTES)
              .writeInt(FETCHED_BYTES + batch.bytes())
              .writeByte(FETCHED)
              .writeLong(batch.firstOffset())
              .writeInt(batch.messages().size()));
      batch.messages().forEach(ctx::write);
    }
  }
}
