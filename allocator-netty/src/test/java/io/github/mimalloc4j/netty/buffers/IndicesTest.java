package io.github.mimalloc4j.netty.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where Netty's package is open, as on the class path, indices are set without Netty's checks. */
class IndicesTest {
  private final ByteBuf buffer = MiMallocByteBufAllocator.DEFAULT.buffer(8);

  @AfterEach
  void release() {
    buffer.release();
  }

  @Test
  void theReaderIndexIsNotChecked() {
    AbstractByteBuf empty = (AbstractByteBuf) Unpooled.buffer(8);
    Indices.setReaderIndex(empty, 5); // beyond the writer index, which the setter refuses
    assertThat(empty.readerIndex()).isEqualTo(5);
  }

  @Test
  void theWriterIndexIsNotChecked() {
    AbstractByteBuf empty = (AbstractByteBuf) Unpooled.buffer(8);
    Indices.setWriterIndex(empty, 9); // beyond the capacity
    assertThat(empty.writerIndex()).isEqualTo(9);
  }

  @Test
  void readingAndWritingMoveTheIndexOfTheirOwn() {
    buffer.writeShort(1).writeInt(2);
    assertThat(buffer.readerIndex()).isZero();
    assertThat(buffer.writerIndex()).isEqualTo(6);
    assertThat(buffer.readShort()).isEqualTo((short) 1);
    assertThat(buffer.readerIndex()).isEqualTo(2);
    assertThat(buffer.writerIndex()).isEqualTo(6);
  }
}
