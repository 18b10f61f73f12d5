package io.github.mimalloc4j.microbench.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTest {
  private final List<ByteBuf> published = new ArrayList<>();

  @Test
  void keepsTheLastMessages() {
    Topic topic = new Topic(3, 1000);
    for (int i = 0; i < 5; i++) {
      assertThat(topic.publish(message(i + 1))).isEqualTo(i);
    }

    assertThat(offsets(topic.fetch(0, 10, 1000))).containsExactly(2L, 3L, 4L);
    assertThat(offsets(topic.fetch(3, 10, 1000))).containsExactly(3L, 4L);
    assertThat(offsets(topic.fetch(2, 2, 1000))).containsExactly(2L, 3L);
    assertThat(offsets(topic.fetch(5, 10, 1000))).isEmpty();
    assertThat(published).extracting(ByteBuf::refCnt).containsExactly(0, 0, 1, 1, 1);
  }

  @Test
  void keepsNoMoreThanSoManyBytes() {
    Topic topic = new Topic(100, 1000);
    for (int size : new int[] {400, 300, 300, 1, 900}) {
      topic.publish(message(size));
    }
    assertThat(offsets(topic.fetch(0, 10, 2000))).containsExactly(3L, 4L);

    topic.publish(message(5000)); // More than may be kept: alone.
    assertThat(offsets(topic.fetch(0, 10, 2000))).containsExactly(5L);
    assertThat(published).extracting(ByteBuf::refCnt).containsExactly(0, 0, 0, 0, 0, 1);
  }

  @Test
  void batchHasNoMoreThanSoManyBytesButOneMessage() {
    Topic topic = new Topic(100, 1000);
    for (int size : new int[] {300, 100, 200}) {
      topic.publish(message(size));
    }
    assertThat(offsets(topic.fetch(0, 10, 10))).containsExactly(0L);
    assertThat(offsets(topic.fetch(0, 10, 400))).containsExactly(0L, 1L);
    assertThat(offsets(topic.fetch(1, 10, 400))).containsExactly(1L, 2L);
  }

  @Test
  void closedTopicReleasesAllButWhatWasFetched() {
    Topic topic = new Topic(100, 1000);
    topic.publish(message(1));
    topic.publish(message(1));
    Topic.Batch batch = topic.fetch(1, 1, 1);
    topic.close();
    topic.publish(message(1));

    assertThat(published).extracting(ByteBuf::refCnt).containsExactly(0, 1, 0);
    batch.messages().get(0).release();
    assertThat(published).extracting(ByteBuf::refCnt).containsExactly(0, 0, 0);
  }

  private ByteBuf message(int bytes) {
    ByteBuf message = Unpooled.buffer(bytes).writeZero(bytes);
    published.add(message);
    return message;
  }

  /** The offsets of a batch, which it releases. */
  private List<Long> offsets(Topic.Batch batch) {
    List<Long> offsets = new ArrayList<>();
    int bytes = 0;
    for (ByteBuf message : batch.messages()) {
      long offset = batch.firstOffset() + offsets.size();
      assertThat(message.unwrap()).isSameAs(published.get((int) offset));
      bytes += message.readableBytes();
      offsets.add(offset);
      message.release();
    }
    assertThat(bytes).isEqualTo(batch.bytes());
    return offsets;
  }
}
