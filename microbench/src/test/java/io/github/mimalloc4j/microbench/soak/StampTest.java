package io.github.mimalloc4j.microbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampTest {
  private static final long ID = Stamp.identity(12, 345);

  private final Stamp stamp = new Stamp();

  private Holding stamped(int bytes, long id) {
    ByteBuf buffer = Unpooled.buffer(bytes, Integer.MAX_VALUE);
    stamp.write(buffer, id, 0, bytes);
    return Holding.of(buffer, id);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 63, 8191, 8192, 8193, 100_000})
  void aStampIsWhatWasWritten(int bytes) {
    Holding holding = stamped(bytes, ID);

    assertThatCode(() -> stamp.check(holding)).doesNotThrowAnyException();
    assertThat(stamp.takeCheckedBytes()).isEqualTo(bytes);
  }

  @Test
  void eachChangedBitIsFound() {
    Holding holding = stamped(100, ID);
    for (int bit = 0; bit < 800; bit++) {
      flip(holding.buffer(), bit);
      assertThatThrownBy(() -> stamp.check(holding))
          .isInstanceOf(SoakFailure.class)
          .hasMessageContaining("buffer 12/345 (heap, 100 bytes)")
          .hasMessageContaining("byte " + bit / 8 + " is 0x");
      flip(holding.buffer(), bit);
    }
  }

  private static void flip(ByteBuf buffer, int bit) {
    buffer.setByte(bit / 8, buffer.getByte(bit / 8) ^ 1 << bit % 8);
  }

  @Test
  void anotherBuffersStampTellsWhoseItIs() {
    Holding holding = stamped(20_000, ID);
    Holding other = stamped(4000, Stamp.identity(7, 99));
    holding.buffer().setBytes(16_000, other.buffer(), 800, 100);

    assertThatThrownBy(() -> stamp.check(holding))
        .hasMessageContaining("byte 16000 is 0x")
        .hasMessageContaining("as a stamp, byte 800 of buffer 7/99");
  }

  @Test
  void partsArePartsOfTheSameStamp() {
    Holding holding = stamped(20_000, ID);
    ByteBuf slice = holding.buffer().retainedSlice(4321, 9000);

    stamp.check(holding.derived(slice, 4321));
    assertThatThrownBy(() -> stamp.check(holding.derived(slice, 4320)))
        .isInstanceOf(SoakFailure.class);
  }

  @Test
  void partsMayBeWrittenInAnyWay() {
    ByteBuf buffer = Unpooled.buffer(8, Integer.MAX_VALUE);
    stamp.append(buffer, ID, 9001);
    buffer.capacity(12_000);
    ByteBuffer view = buffer.nioBuffer(9001, 2000);
    stamp.write(view, ID, 9001);
    stamp.write(buffer, ID, 11_001, 12_000);

    stamp.check(Holding.of(buffer, ID));
    assertThat(view.hasRemaining()).isFalse();
  }
}
