package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Primitives of every width at every offset, compared with a byte array. */
class ByteBufAccessContractTest extends ByteBufContract {
  /** Beyond two cache lines, so that each width crosses one at every alignment. */
  private static final int CAPACITY = 130;

  /** Junk above each narrower width, so that a setter that does not cut it off is seen. */
  private static final long VALUE = 0xfedc_ba98_7654_32f1L;

  private final Random random = new Random(42);

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void getsAtEveryOffset(Primitive primitive) {
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    for (int i = 0; i <= CAPACITY - primitive.width; i++) {
      assertThat(primitive.getter.get(buffer, i))
          .as("at %d", i)
          .isEqualTo(primitive.decode(model, i, primitive.order()));
    }
    assertIndexes(buffer, 0, 0);
    assertThat(contentOf(buffer)).isEqualTo(model);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void setsAtEveryOffsetAndTouchesNoNeighbour(Primitive primitive) {
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    for (int i = 0; i <= CAPACITY - primitive.width; i++) {
      long value = VALUE * (i + 1);
      assertThat(primitive.setter.set(buffer, i, value)).isSameAs(buffer);
      primitive.encode(model, i, primitive.order(), value);
      assertThat(contentOf(buffer)).as("after setting at %d", i).isEqualTo(model);
    }
    assertIndexes(buffer, 0, 0);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void readsFromEveryOffset(Primitive primitive) {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] model = contentOf(buffer);
    for (int start = 0; start < 8; start++) {
      buffer.readerIndex(start);
      for (int i = start; i <= CAPACITY - primitive.width; i += primitive.width) {
        assertThat(primitive.reader.read(buffer))
            .as("at %d", i)
            .isEqualTo(primitive.decode(model, i, primitive.order()));
        assertIndexes(buffer, i + primitive.width, CAPACITY);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void writesFromEveryOffset(Primitive primitive) {
    ByteBuf buffer = newBuffer(CAPACITY, CAPACITY);
    byte[] model = fill(buffer);
    for (int start = 0; start < 8; start++) {
      buffer.writerIndex(start);
      for (int i = start; i <= CAPACITY - primitive.width; i += primitive.width) {
        long value = random.nextLong();
        assertThat(primitive.writer.write(buffer, value)).isSameAs(buffer);
        primitive.encode(model, i, primitive.order(), value);
        assertIndexes(buffer, 0, i + primitive.width);
      }
      assertThat(contentOf(buffer)).as("written from %d", start).isEqualTo(model);
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  @SuppressWarnings("deprecation")
  void littleEndianViewSwapsEveryAccess(Primitive primitive) {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] model = contentOf(buffer);
    ByteBuf view = buffer.order(ByteOrder.LITTLE_ENDIAN);
    // The ...LE methods mean the same in a view of either order.
    ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    for (int i = 0; i <= CAPACITY - primitive.width; i++) {
      assertThat(primitive.getter.get(view, i)).isEqualTo(primitive.decode(model, i, order));
    }
    assertThat(primitive.reader.read(view)).isEqualTo(primitive.decode(model, 0, order));
    assertIndexes(buffer, primitive.width, CAPACITY);
    primitive.setter.set(view, 1, VALUE);
    primitive.encode(model, 1, order, VALUE);
    primitive.writer.write(view.writerIndex(50), ~VALUE);
    primitive.encode(model, 50, order, ~VALUE);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertIndexes(buffer, primitive.width, 50 + primitive.width);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void extremeValuesSurviveARoundTrip(Primitive primitive) {
    ByteBuf buffer = newBuffer(8, 8);
    byte[] model = new byte[8];
    for (int bit = 0; bit < Byte.SIZE * primitive.width; bit++) {
      for (long value : new long[] {1L << bit, ~(1L << bit), (1L << bit) - 1, -(1L << bit)}) {
        primitive.encode(model, 0, primitive.order(), value);
        primitive.writer.write(buffer.clear(), value);
        assertThat(primitive.reader.read(buffer))
            .isEqualTo(primitive.decode(model, 0, primitive.order()));
      }
    }
  }

  /** Sizes on both sides of what size classes, pages and segments are likely to end at. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257, 1023, 1024,
        1025, 4097, 8191, 16_709, 65_535, 65_537, 131_073, 524_289, 1 << 20
      })
  void firstAndLastBytesOfEverySizeAreUsable(int capacity) {
    ByteBuf buffer = newBuffer(capacity, capacity);
    byte[] model = fill(buffer);
    for (Primitive primitive : Primitive.values()) {
      int last = capacity - primitive.width;
      if (last >= 0) {
        primitive.setter.set(buffer, 0, VALUE);
        primitive.encode(model, 0, primitive.order(), VALUE);
        primitive.setter.set(buffer, last, ~VALUE);
        primitive.encode(model, last, primitive.order(), ~VALUE);
        for (int i : new int[] {0, last}) {
          assertThat(primitive.getter.get(buffer, i))
              .as("%s at %d", primitive, i)
              .isEqualTo(primitive.decode(model, i, primitive.order()));
        }
      }
    }
    assertThat(contentOf(buffer)).isEqualTo(model);
  }

  @Test
  void buffersDoNotShareBytes() {
    ByteBuf[] buffers = new ByteBuf[200];
    for (int i = 0; i < buffers.length; i++) {
      int capacity = 1 + i * i % 997;
      buffers[i] = newBuffer(capacity, capacity);
      for (int at = 0; at < capacity; at++) {
        buffers[i].setByte(at, i);
      }
    }
    for (int i = 0; i < buffers.length; i++) {
      byte[] expected = new byte[buffers[i].capacity()];
      Arrays.fill(expected, (byte) i);
      assertThat(contentOf(buffers[i])).isEqualTo(expected);
    }
  }
}
