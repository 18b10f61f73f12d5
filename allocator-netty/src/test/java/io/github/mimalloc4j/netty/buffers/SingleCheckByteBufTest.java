package io.github.mimalloc4j.netty.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A buffer in use that is taken for a free one is slow, not wrong. */
@ExtendWith(LeakDetectionOff.class)
class SingleCheckByteBufTest {

  private static final long VALUE = 0x8123_4567_89ab_cdefL;

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void takenForFree(Primitive primitive) {
    ByteBuf buffer = MiMallocByteBufAllocator.DEFAULT.heapBuffer(16, 16).writeZero(16);
    byte[] model = new byte[16];
    ((SingleCheckByteBuf) buffer).end();
    primitive.setter.set(buffer, 3, VALUE);
    primitive.encode(model, 3, primitive.order(), VALUE);
    long expected = primitive.decode(model, 3, primitive.order());
    assertThat(primitive.getter.get(buffer, 3)).isEqualTo(expected);
    assertThat(primitive.reader.read(buffer.readerIndex(3))).isEqualTo(expected);
    primitive.writer.write(buffer.setIndex(0, 8), VALUE);
    assertThat(primitive.reader.read(buffer.readerIndex(8))).isEqualTo(expected);
    assertThat(buffer.capacity()).isEqualTo(16);
    assertThat(buffer.release()).isTrue();
  }
}
