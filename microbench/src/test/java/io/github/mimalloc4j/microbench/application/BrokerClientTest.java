package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that fetches after each second message, and a broker that the test plays. */
class BrokerClientTest {
  private final BrokerClient client = new BrokerClient(0);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(BrokerApplication.frameDecoder(), client);
  private final List<String> outcomes = new ArrayList<>();

  /** The client's own messages, each with its length before it. */
  private final List<ByteBuf> own = new ArrayList<>();

  private final ByteBuf foreign = Unpooled.buffer();

  @BeforeEach
  void makeMessageOfAnother() {
    long stamp = Content.firstStamp();
    int size = BrokerClient.size(stamp);
    foreign.writeInt(size);
    Content.write(foreign, stamp, size);
  }

  @AfterEach
  void release() {
    own.forEach(ByteBuf::release);
    channel.finishAndReleaseAll();
  }

  @Test
  void messagesInARowAreCorrect() {
    publishTwo(0, 1);
    fetch(0, own.get(0), own.get(1));
    publishTwo(2, 4);
    fetch(2, own.get(2), foreign);
    publishTwo(5, 6);
    fetch(4, own.get(3), own.get(4));

    assertThat(outcomes).hasSize(9).containsOnly("correct");
  }

  @Test
  void droppedMessagesMayBeMissing() {
    publishTwo(10, 20);
    fetch(50, foreign); // So both are gone, which is to be remembered until an own one comes.
    publishTwo(51, 52);
    fetch(51, own.get(2), own.get(3));

    assertThat(outcomes).hasSize(6).containsOnly("correct");
  }

  @Test
  void ownMessageThatIsMissingIsFound() {
    publishTwo(0, 1);
    fetch(0, foreign, own.get(1));
    assertThat(outcomes).last().isEqualTo("one of its own messages is missing or came twice");
  }

  @Test
  void ownMessageThatComesTwiceIsFound() {
    publishTwo(0, 1);
    fetch(0, own.get(0), own.get(0));
    assertThat(outcomes).last().isEqualTo("one of its own messages is missing or came twice");
  }

  @Test
  void batchWithoutWhatWasPublishedIsFound() {
    publishTwo(0, 1);
    fetch(0);
    assertThat(outcomes).last().isEqualTo("0 messages from offset 0 instead of 2 from 0");
  }

  @Test
  void changedMessageIsFound() {
    publishTwo(0, 1);
    int last = own.get(0).writerIndex() - 1;
    own.get(0).setByte(last, own.get(0).getByte(last) ^ 1);
    fetch(0, own.get(0), own.get(1));
    assertThat(outcomes).last().isEqualTo("a message with the wrong content");
  }

  @Test
  void offsetThatDoesNotGoOnIsFound() {
    publishTwo(1, 1);
    assertThat(outcomes).containsExactly("correct", "an offset that is not above the last one");
  }

  @Test
  void answerOfTheWrongTypeEndsTheConnection() {
    send();
    channel.writeInbound(
        Unpooled.buffer().writeInt(13).writeByte(BrokerApplication.FETCHED).writeZero(12));
    assertThat(outcomes).containsExactly("an answer of type " + BrokerApplication.FETCHED);
    assertThat(channel.isActive()).isFalse();
  }

  private void publishTwo(long firstOffset, long secondOffset) {
    for (long offset : new long[] {firstOffset, secondOffset}) {
      ByteBuf frame = send();
      frame.skipBytes(BrokerApplication.LENGTH_BYTES);
      assertThat(frame.readByte()).isEqualTo(BrokerApplication.PUBLISH);
      frame.skipBytes(4); // the topic
      own.add(frame);
      channel.writeInbound(
          Unpooled.buffer().writeInt(9).writeByte(BrokerApplication.PUBLISHED).writeLong(offset));
    }
  }

  private void fetch(long firstOffset, ByteBuf... messages) {
    ByteBuf frame = send();
    assertThat(frame.getByte(BrokerApplication.LENGTH_BYTES)).isEqualTo(BrokerApplication.FETCH);
    frame.release();
    ByteBuf content = Unpooled.buffer();
    for (ByteBuf message : messages) {
      content.writeBytes(message, message.readerIndex(), message.readableBytes());
    }
    channel.writeInbound(
        Unpooled.buffer()
            .writeInt(13 + content.readableBytes())
            .writeByte(BrokerApplication.FETCHED)
            .writeLong(firstOffset)
            .writeInt(messages.length),
        content);
  }

  /** What the client sends next. */
  private ByteBuf send() {
    client.send(error -> outcomes.add(error == null ? "correct" : error));
    client.flush();
    return channel.readOutbound();
  }
}
