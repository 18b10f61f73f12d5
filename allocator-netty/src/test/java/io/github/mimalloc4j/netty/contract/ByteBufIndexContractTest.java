package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reader and writer index, marks, discarding, and making room. */
class ByteBufIndexContractTest extends ByteBufContract {
  @Test
  void newBufferIsEmptyAndWritable() {
    ByteBuf buffer = newBuffer(100, 200);
    assertIndexes(buffer, 0, 0);
    assertThat(buffer.capacity()).isEqualTo(100);
    assertThat(buffer.maxCapacity()).isEqualTo(200);
    assertThat(buffer.readableBytes()).isZero();
    assertThat(buffer.writableBytes()).isEqualTo(100);
    assertThat(buffer.maxWritableBytes()).isEqualTo(200);
    assertThat(buffer.isReadable()).isFalse();
    assertThat(buffer.isWritable()).isTrue();
    assertThat(buffer.isDirect()).isEqualTo(kind.isDirect());
    assertThat(buffer.isReadOnly()).isFalse();
    assertThat(buffer.isContiguous()).isTrue();
    assertThat(buffer.alloc()).isSameAs(kind.allocator());
  }

  @Test
  @SuppressWarnings("deprecation")
  void newBufferIsBigEndianAndWrapsNothing() {
    ByteBuf buffer = newBuffer(16);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(buffer.order(ByteOrder.BIG_ENDIAN)).isSameAs(buffer);
    assertThat(buffer.unwrap()).isNull();
    assertThat(buffer.asByteBuf()).isSameAs(buffer);
  }

  /** A pool hands out used buffers: nothing of the last user may show. */
  @Test
  void recycledBufferIsAsNew() {
    // Often enough for a pool that hands out every free block before it uses one again.
    for (int i = 0; i < 1000; i++) {
      ByteBuf buffer = newBuffer(64, 128 + i);
      assertThat(buffer.capacity()).isEqualTo(64);
      assertThat(buffer.maxCapacity()).isEqualTo(128 + i);
      assertThat(buffer.refCnt()).isEqualTo(1);
      assertIndexes(buffer, 0, 0);
      buffer.setIndex(3, 7).resetReaderIndex().resetWriterIndex();
      assertIndexes(buffer, 0, 0);
      buffer.capacity(96 + i % 30).setIndex(5 + i % 40, 50).markReaderIndex().markWriterIndex();
      buffer.release();
    }
  }

  @Test
  void readerIndexMovesUpToTheWriterIndex() {
    ByteBuf buffer = newFullBuffer(16).writerIndex(10);
    for (int i = 0; i <= 10; i++) {
      assertThat(buffer.readerIndex(i)).isSameAs(buffer);
      assertIndexes(buffer, i, 10);
      assertThat(buffer.readableBytes()).isEqualTo(10 - i);
      assertThat(buffer.isReadable()).isEqualTo(i < 10);
    }
    for (int bad : new int[] {-1, 11, 17, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertOutOfBounds(buffer, () -> buffer.readerIndex(bad));
    }
  }

  @Test
  void writerIndexMovesFromTheReaderIndexToTheCapacity() {
    ByteBuf buffer = newFullBuffer(16).readerIndex(4);
    for (int i = 4; i <= 16; i++) {
      assertThat(buffer.writerIndex(i)).isSameAs(buffer);
      assertIndexes(buffer, 4, i);
      assertThat(buffer.writableBytes()).isEqualTo(16 - i);
      assertThat(buffer.isWritable()).isEqualTo(i < 16);
    }
    for (int bad : new int[] {-1, 3, 17, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertOutOfBounds(buffer, () -> buffer.writerIndex(bad));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 5", "6, 5", "0, 17", "17, 17", "0, -1", "-1, -1", "0, 2147483647"})
  void setIndexRefusesWhatIsOutOfOrder(int readerIndex, int writerIndex) {
    ByteBuf buffer = newFullBuffer(16).setIndex(2, 9);
    assertOutOfBounds(buffer, () -> buffer.setIndex(readerIndex, writerIndex));
  }

  @Test
  void setIndexMovesBothAtOnce() {
    ByteBuf buffer = newBuffer(16);
    assertThat(buffer.setIndex(9, 16)).isSameAs(buffer);
    assertIndexes(buffer, 9, 16);
    // Each index on its own would be refused here.
    buffer.setIndex(0, 3);
    assertIndexes(buffer, 0, 3);
  }

  @Test
  void isReadableAndIsWritableCountBytes() {
    ByteBuf buffer = newBuffer(16, 32).setIndex(4, 10);
    assertThat(buffer.isReadable(6)).isTrue();
    assertThat(buffer.isReadable(7)).isFalse();
    assertThat(buffer.isWritable(6)).isTrue();
    assertThat(buffer.isWritable(7)).isFalse();
  }

  @Test
  void clearResetsTheIndexesOnly() {
    ByteBuf buffer = newFullBuffer(16).setIndex(3, 9);
    byte[] content = contentOf(buffer);
    assertThat(buffer.clear()).isSameAs(buffer);
    assertIndexes(buffer, 0, 0);
    assertThat(contentOf(buffer)).isEqualTo(content);
  }

  @Test
  void marksBringTheIndexesBack() {
    ByteBuf buffer = newBuffer(16).setIndex(3, 9);
    assertThat(buffer.markReaderIndex()).isSameAs(buffer);
    assertThat(buffer.markWriterIndex()).isSameAs(buffer);
    buffer.setIndex(5, 16);
    assertThat(buffer.resetReaderIndex()).isSameAs(buffer);
    assertIndexes(buffer, 3, 16);
    assertThat(buffer.resetWriterIndex()).isSameAs(buffer);
    assertIndexes(buffer, 3, 9);
  }

  @Test
  void marksStartAtZero() {
    ByteBuf buffer = newBuffer(16).setIndex(3, 9);
    buffer.resetReaderIndex();
    assertIndexes(buffer, 0, 9);
    buffer.resetWriterIndex();
    assertIndexes(buffer, 0, 0);
  }

  @Test
  void resetToAMarkOutOfOrderIsRefused() {
    ByteBuf buffer = newFullBuffer(16).setIndex(8, 16).markReaderIndex().setIndex(2, 5);
    assertOutOfBounds(buffer, buffer::resetReaderIndex);
    buffer.markWriterIndex().setIndex(7, 9);
    assertOutOfBounds(buffer, buffer::resetWriterIndex);
  }

  @Test
  void skipBytesMovesTheReaderIndex() {
    ByteBuf buffer = newFullBuffer(16);
    assertThat(buffer.skipBytes(0)).isSameAs(buffer);
    assertIndexes(buffer, 0, 16);
    buffer.skipBytes(7).skipBytes(9);
    assertIndexes(buffer, 16, 16);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 16", "1, 16", "8, 12", "15, 16", "16, 16", "5, 5"})
  void discardReadBytesMovesTheRestToTheFront(int readerIndex, int writerIndex) {
    ByteBuf buffer = newFullBuffer(16).setIndex(readerIndex, writerIndex);
    byte[] unread = readableBytesOf(buffer);
    assertThat(buffer.discardReadBytes()).isSameAs(buffer);
    assertIndexes(buffer, 0, writerIndex - readerIndex);
    assertThat(readableBytesOf(buffer)).isEqualTo(unread);
    assertThat(buffer.capacity()).isEqualTo(16);
  }

  @Test
  void discardReadBytesMovesTheMarksAlong() {
    ByteBuf buffer = newFullBuffer(16).setIndex(6, 12).markReaderIndex().markWriterIndex();
    buffer.readerIndex(4).discardReadBytes();
    buffer.readerIndex(0).writerIndex(16).resetReaderIndex();
    assertIndexes(buffer, 2, 16);
    buffer.resetWriterIndex();
    assertIndexes(buffer, 2, 8);
  }

  @Test
  void discardReadBytesStopsTheMarksAtZero() {
    ByteBuf buffer = newFullBuffer(16).setIndex(2, 5).markReaderIndex().markWriterIndex();
    buffer.setIndex(8, 16).discardReadBytes().readerIndex(3).resetReaderIndex();
    assertIndexes(buffer, 0, 8);
    buffer.resetWriterIndex();
    assertIndexes(buffer, 0, 0);
  }

  /** How much is discarded is the buffer's choice; the unread bytes and their number stay. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16})
  void discardSomeReadBytesKeepsTheUnread(int readerIndex) {
    ByteBuf buffer = newFullBuffer(16).readerIndex(readerIndex);
    byte[] unread = readableBytesOf(buffer);
    assertThat(buffer.discardSomeReadBytes()).isSameAs(buffer);
    assertThat(buffer.readerIndex()).isBetween(0, readerIndex);
    assertThat(readableBytesOf(buffer)).isEqualTo(unread);
    // More than half has been read: all Netty buffers move the rest then.
    if (readerIndex >= 8) {
      assertThat(buffer.readerIndex()).isZero();
    }
  }

  @Test
  void ensureWritableDoesNothingWhenThereIsRoom() {
    ByteBuf buffer = newBuffer(16, 64).writerIndex(6);
    assertThat(buffer.ensureWritable(10)).isSameAs(buffer);
    assertThat(buffer.ensureWritable(0)).isSameAs(buffer);
    assertThat(buffer.capacity()).isEqualTo(16);
    assertThat(buffer.ensureWritable(10, false)).isZero();
    assertThat(buffer.ensureWritable(10, true)).isZero();
    assertThat(buffer.capacity()).isEqualTo(16);
  }

  @Test
  void ensureWritableGrowsAndKeepsTheContent() {
    ByteBuf buffer = newFullBuffer(16).setIndex(2, 16);
    byte[] content = contentOf(buffer);
    assertThat(buffer.ensureWritable(1)).isSameAs(buffer);
    assertThat(buffer.writableBytes()).isPositive();
    assertThat(buffer.ensureWritable(5000, false)).isEqualTo(2);
    assertThat(buffer.writableBytes()).isGreaterThanOrEqualTo(5000);
    assertIndexes(buffer, 2, 16);
    assertThat(Arrays.copyOf(contentOf(buffer), 16)).isEqualTo(content);
  }

  @Test
  void ensureWritableUpToTheVeryLastByte() {
    ByteBuf buffer = newBuffer(16, 1000).writerIndex(16);
    assertThat(buffer.ensureWritable(984, false)).isEqualTo(2);
    assertThat(buffer.capacity()).isEqualTo(1000);
  }

  @Test
  void ensureWritableBeyondTheMaxCapacity() {
    ByteBuf buffer = newBuffer(16, 64).writerIndex(8);
    assertOutOfBounds(buffer, () -> buffer.ensureWritable(57));
    assertOutOfBounds(buffer, () -> buffer.ensureWritable(Integer.MAX_VALUE));
    assertThat(buffer.ensureWritable(57, false)).isEqualTo(1);
    assertThat(buffer.capacity()).isEqualTo(16);
    assertThat(buffer.ensureWritable(57, true)).isEqualTo(3);
    assertThat(buffer.capacity()).isEqualTo(64);
    // Nothing is left to grow into: forced or not, the answer is the same.
    assertThat(buffer.ensureWritable(57, true)).isEqualTo(1);
    assertThat(buffer.ensureWritable(Integer.MAX_VALUE, false)).isEqualTo(1);
    assertIndexes(buffer, 0, 8);
  }

  @Test
  void ensureWritableRefusesANegativeNumber() {
    ByteBuf buffer = newBuffer(16);
    assertThatIllegalArgumentException().isThrownBy(() -> buffer.ensureWritable(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> buffer.ensureWritable(-1, true));
    assertThatThrownBy(() -> buffer.ensureWritable(Integer.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void maxWritableBytesCountsFromTheWriterIndex() {
    ByteBuf buffer = newBuffer(16, 100);
    for (int i = 0; i <= 16; i++) {
      buffer.writerIndex(i);
      assertThat(buffer.maxWritableBytes()).isEqualTo(100 - i);
    }
    assertThat(newBuffer(1).maxWritableBytes()).isEqualTo(Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 16, 63, 64, 65, 500, 4096, 5000, 70_000, 300_000})
  void maxFastWritableBytesCanBeWrittenWhereTheyAre(int capacity) {
    ByteBuf buffer = newBuffer(capacity).writerIndex(capacity / 2);
    int fast = buffer.maxFastWritableBytes();
    assertThat(fast).isBetween(buffer.writableBytes(), buffer.maxWritableBytes());
    Object memory = memoryOf(buffer);
    buffer.ensureWritable(fast);
    assertThat(memoryOf(buffer)).isEqualTo(memory);
    buffer.writeZero(fast);
    assertThat(memoryOf(buffer)).isEqualTo(memory);
  }

  @Test
  void maxFastWritableBytesStopsAtTheMaxCapacity() {
    for (int maxCapacity = 10; maxCapacity < 80; maxCapacity++) {
      ByteBuf buffer = newBuffer(10, maxCapacity).writerIndex(10);
      assertThat(buffer.maxFastWritableBytes()).isBetween(0, maxCapacity - 10);
    }
  }

  /** Where the bytes are, as far as the buffer tells. */
  private static Object memoryOf(ByteBuf buffer) {
    if (buffer.hasMemoryAddress()) {
      return buffer.memoryAddress();
    }
    return buffer.hasArray()
        ? System.identityHashCode(buffer.array()) + "+" + buffer.arrayOffset()
        : "unknown";
  }
}
