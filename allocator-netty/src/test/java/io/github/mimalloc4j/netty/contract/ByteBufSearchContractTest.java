package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.ByteProcessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searching, walking over the bytes, and comparing. */
class ByteBufSearchContractTest extends ByteBufContract {
  /** Every byte value once, so that each search has one right answer. */
  private ByteBuf newAlphabet() {
    ByteBuf buffer = newBuffer(256);
    for (int i = 0; i < 256; i++) {
      buffer.writeByte(i);
    }
    return buffer;
  }

  @Test
  void indexOfFindsEveryByteInBothDirections() {
    ByteBuf buffer = newAlphabet();
    for (int i = 0; i < 256; i++) {
      byte value = (byte) i;
      assertThat(buffer.indexOf(0, 256, value)).isEqualTo(i);
      assertThat(buffer.indexOf(256, 0, value)).isEqualTo(i);
      assertThat(buffer.indexOf(i, i + 1, value)).isEqualTo(i);
      assertThat(buffer.indexOf(i + 1, i, value)).isEqualTo(i);
      assertThat(buffer.indexOf(i + 1, 256, value)).isEqualTo(-1);
      assertThat(buffer.indexOf(0, i, value)).isEqualTo(-1);
      assertThat(buffer.indexOf(i, 0, value)).isEqualTo(-1);
      assertThat(buffer.indexOf(i, i, value)).isEqualTo(-1);
    }
    assertIndexes(buffer, 0, 256);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100})
  void indexOfAtEveryDistanceFromAWordBoundary(int length) {
    ByteBuf buffer = newBuffer(length + 8).writeZero(length + 8);
    for (int start = 0; start < 8; start++) {
      for (int at = start; at < start + length; at++) {
        buffer.setByte(at, 1);
        assertThat(buffer.indexOf(start, start + length, (byte) 1)).isEqualTo(at);
        assertThat(buffer.indexOf(start + length, start, (byte) 1)).isEqualTo(at);
        // A neighbour that differs in the lowest bit misleads searches by subtraction.
        assertThat(buffer.indexOf(at, start + length, (byte) 0))
            .isEqualTo(at + 1 < start + length ? at + 1 : -1);
        buffer.setByte(at, 0);
      }
      assertThat(buffer.indexOf(start, start + length, (byte) 1)).isEqualTo(-1);
    }
  }

  @Test
  void firstAndLastOfSeveral() {
    ByteBuf buffer = newBuffer(64).writeZero(64).setByte(10, 7).setByte(30, 7).setByte(50, 7);
    assertThat(buffer.indexOf(0, 64, (byte) 7)).isEqualTo(10);
    assertThat(buffer.indexOf(11, 64, (byte) 7)).isEqualTo(30);
    assertThat(buffer.indexOf(64, 0, (byte) 7)).isEqualTo(50);
    assertThat(buffer.indexOf(50, 0, (byte) 7)).isEqualTo(30);
  }

  /** The range is cut to what there is; only a start beyond the end can be refused. */
  @Test
  void indexOfOutsideTheBuffer() {
    ByteBuf buffer = newAlphabet();
    assertThat(buffer.indexOf(-5, 256, (byte) 3)).isEqualTo(3);
    assertThat(buffer.indexOf(1000, 0, (byte) 3)).isEqualTo(3);
    assertThat(buffer.indexOf(256, 256, (byte) 3)).isEqualTo(-1);
    assertOutOfBounds(buffer, () -> buffer.indexOf(0, 257, (byte) 3));
  }

  @Test
  void bytesBeforeCountsFromTheStart() {
    ByteBuf buffer = newAlphabet().setIndex(10, 200);
    assertThat(buffer.bytesBefore((byte) 50)).isEqualTo(40);
    assertThat(buffer.bytesBefore((byte) 10)).isZero();
    assertThat(buffer.bytesBefore((byte) 9)).isEqualTo(-1);
    assertThat(buffer.bytesBefore((byte) 200)).isEqualTo(-1);
    assertThat(buffer.bytesBefore(41, (byte) 50)).isEqualTo(40);
    assertThat(buffer.bytesBefore(40, (byte) 50)).isEqualTo(-1);
    assertThat(buffer.bytesBefore(20, 40, (byte) 50)).isEqualTo(30);
    assertThat(buffer.bytesBefore(20, 30, (byte) 50)).isEqualTo(-1);
    assertOutOfBounds(buffer, () -> buffer.bytesBefore(191, (byte) 50));
    assertIndexes(buffer, 10, 200);
  }

  private static List<Byte> visited(Walk walk, int stopAfter) {
    List<Byte> seen = new ArrayList<>();
    int result =
        walk.over(
            value -> {
              seen.add(value);
              return seen.size() < stopAfter;
            });
    // -1 if the walk came to its end, else the index at which it was stopped.
    assertThat(result == -1).isEqualTo(seen.size() < stopAfter);
    if (result != -1) {
      assertThat((byte) result).isEqualTo(seen.get(seen.size() - 1));
    }
    return seen;
  }

  private interface Walk {
    int over(ByteProcessor processor);
  }

  private static List<Byte> range(int first, int last) {
    List<Byte> bytes = new ArrayList<>();
    int step = first <= last ? 1 : -1;
    for (int i = first; i != last + step; i += step) {
      bytes.add((byte) i);
    }
    return bytes;
  }

  @Test
  void forEachByteVisitsInOrder() {
    ByteBuf buffer = newAlphabet().setIndex(10, 200);
    assertThat(visited(buffer::forEachByte, 1000)).isEqualTo(range(10, 199));
    assertThat(visited(buffer::forEachByteDesc, 1000)).isEqualTo(range(199, 10));
    assertThat(visited(p -> buffer.forEachByte(0, 256, p), 1000)).isEqualTo(range(0, 255));
    assertThat(visited(p -> buffer.forEachByteDesc(0, 256, p), 1000)).isEqualTo(range(255, 0));
    assertThat(visited(p -> buffer.forEachByte(77, 10, p), 1000)).isEqualTo(range(77, 86));
    assertThat(visited(p -> buffer.forEachByteDesc(77, 10, p), 1000)).isEqualTo(range(86, 77));
    assertIndexes(buffer, 10, 200);
  }

  @Test
  void forEachByteStopsWhereItIsTold() {
    ByteBuf buffer = newAlphabet().setIndex(10, 200);
    assertThat(visited(buffer::forEachByte, 1)).isEqualTo(range(10, 10));
    assertThat(visited(buffer::forEachByte, 50)).isEqualTo(range(10, 59));
    assertThat(visited(buffer::forEachByteDesc, 50)).isEqualTo(range(199, 150));
    assertThat(visited(p -> buffer.forEachByte(20, 40, p), 40)).isEqualTo(range(20, 59));
    assertThat(visited(p -> buffer.forEachByteDesc(20, 40, p), 40)).isEqualTo(range(59, 20));
    assertThat(buffer.forEachByte(ByteProcessor.FIND_LF)).isEqualTo(-1 + 11);
    assertThat(buffer.forEachByte(11, 100, ByteProcessor.FIND_LF)).isEqualTo(-1);
    assertThat(buffer.forEachByte(5, 0, p -> false)).isEqualTo(-1);
  }

  @Test
  void exceptionOfTheProcessorComesThrough() {
    ByteBuf buffer = newAlphabet();
    ByteProcessor failing =
        value -> {
          throw new IllegalStateException("stop");
        };
    assertRejected(IllegalStateException.class, buffer, () -> buffer.forEachByte(failing));
    assertRejected(IllegalStateException.class, buffer, () -> buffer.forEachByteDesc(failing));
  }

  @Test
  void hexDumpShowsTheReadableBytes() {
    ByteBuf buffer = newAlphabet().setIndex(9, 180);
    assertThat(ByteBufUtil.hexDump(buffer))
        .isEqualTo(HexFormat.of().formatHex(contentOf(buffer), 9, 180));
    assertThat(ByteBufUtil.hexDump(buffer, 250, 6)).isEqualTo("fafbfcfdfeff");
    assertThat(ByteBufUtil.prettyHexDump(buffer, 0x61, 4)).contains("61 62 63 64", "abcd");
    assertThat(ByteBufUtil.getBytes(buffer)).isEqualTo(readableBytesOf(buffer));
    assertThat(ByteBufUtil.getBytes(buffer, 3, 5)).isEqualTo(new byte[] {3, 4, 5, 6, 7});
    assertThatThrownBy(() -> ByteBufUtil.hexDump(buffer, 250, 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 8, 9, 16, 23, 64, 1000})
  void equalBytesMakeEqualBuffers(int length) {
    byte[] bytes = randomBytes(length);
    ByteBuf buffer = newBuffer(bytes.length + 9).writeZero(5).skipBytes(5).writeBytes(bytes);
    for (ByteBuf other : copies(bytes)) {
      assertThat(buffer.equals(other)).isTrue();
      assertThat(other.equals(buffer)).isTrue();
      assertThat(buffer.hashCode()).isEqualTo(other.hashCode());
      assertThat(buffer.compareTo(other)).isZero();
      assertThat(other.compareTo(buffer)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 8, 9, 16, 23, 64})
  void oneDifferentByteIsSeenWhereverItIs(int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; at++) {
      ByteBuf buffer = newBuffer(bytes);
      for (ByteBuf other : copies(bytes)) {
        // Bytes compare as unsigned: this one is the greater, though negative.
        other.setByte(other.readerIndex() + at, 0x80);
        assertThat(buffer.equals(other)).isFalse();
        assertThat(other.equals(buffer)).isFalse();
        assertThat(buffer.compareTo(other)).isNegative();
        assertThat(other.compareTo(buffer)).isPositive();
      }
    }
  }

  @Test
  void shorterIsLessWhenItIsAPrefix() {
    ByteBuf buffer = newBuffer(randomBytes(20));
    for (ByteBuf other : copies(Arrays.copyOf(contentOf(buffer), 19))) {
      assertThat(buffer.equals(other)).isFalse();
      assertThat(buffer.compareTo(other)).isPositive();
      assertThat(other.compareTo(buffer)).isNegative();
      assertThat(buffer.slice(0, 19)).isEqualTo(other);
    }
    assertThat(buffer.equals(null)).isFalse();
    assertThat(new Object().equals(buffer)).isFalse();
  }

  /** The same bytes in a buffer of each memory, and at another offset. */
  private List<ByteBuf> copies(byte[] bytes) {
    ByteBuf shifted = newBuffer(bytes.length + 3).writeZero(3).skipBytes(3).writeBytes(bytes);
    ByteBuf direct = releaseLater(Unpooled.directBuffer(bytes.length + 1));
    return List.of(
        Unpooled.copiedBuffer(bytes).writerIndex(bytes.length),
        direct.writeBytes(bytes),
        newBuffer(bytes),
        shifted);
  }

  @Test
  void utilitiesCompareRanges() {
    ByteBuf buffer = newAlphabet();
    ByteBuf other = Unpooled.copiedBuffer(contentOf(buffer));
    assertThat(ByteBufUtil.equals(buffer, 10, other, 10, 100)).isTrue();
    assertThat(ByteBufUtil.equals(buffer, 10, other, 11, 100)).isFalse();
    assertThat(ByteBufUtil.indexOf(Unpooled.wrappedBuffer(new byte[] {100, 101}), buffer))
        .isEqualTo(100);
    assertThat(ByteBufUtil.indexOf(buffer, 0, 256, (byte) 200)).isEqualTo(200);
  }
}
