package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private final Handover handover = new Handover();

  private List<ByteBuf> send(int count) {
    List<ByteBuf> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuf buffer = Unpooled.buffer(1);
      sent.add(buffer);
      handover.send(buffer);
    }
    return sent;
  }

  @Test
  void whatIsLeftIsReleasedAndTheNumbersBeginAgain() {
    List<ByteBuf> sent = send(10);
    handover.take(3);
    Work work = new Work.Allocating(Unpooled.buffer().alloc());

    assertThat(handover.releaseAll(work)).isEqualTo(9);

    assertThat(sent).filteredOn(buffer -> buffer.refCnt() > 0).containsExactly(sent.get(3));
    ByteBuf next = send(1).get(0);
    assertThat(handover.take(0)).isSameAs(next);
  }
}
