package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Growing and shrinking: the bytes up to the smaller size stay, and so does the object. */
class ByteBufCapacityContractTest extends ByteBufContract {
  /** Every power of two up to 1 MiB with its neighbours, in ascending order. */
  private static int[] steps() {
    return IntStream.rangeClosed(1, 20)
        .flatMap(bits -> IntStream.of((1 << bits) - 1, 1 << bits, (1 << bits) + 1))
        .distinct()
        .sorted()
        .toArray();
  }

  @Test
  void growsThroughAllSizesAndKeepsTheContent() {
    ByteBuf buffer = newBuffer(1);
    byte[] model = fill(buffer);
    for (int capacity : steps()) {
      assertThat(buffer.capacity(capacity)).isSameAs(buffer);
      assertThat(buffer.capacity()).isEqualTo(capacity);
      assertThat(bytesOf(buffer, 0, model.length)).as("grown to %d", capacity).isEqualTo(model);
      model = fill(buffer);
      assertThat(contentOf(buffer)).isEqualTo(model);
    }
    assertThat(buffer.refCnt()).isEqualTo(1);
  }

  @Test
  void shrinksThroughAllSizesAndKeepsTheContent() {
    int[] steps = steps();
    ByteBuf buffer = newBuffer(steps[steps.length - 1] + 1);
    byte[] model = fill(buffer);
    for (int i = steps.length - 1; i >= 0; i--) {
      assertThat(buffer.capacity(steps[i])).isSameAs(buffer);
      assertThat(buffer.capacity()).isEqualTo(steps[i]);
      assertThat(contentOf(buffer))
          .as("shrunk to %d", steps[i])
          .isEqualTo(Arrays.copyOf(model, steps[i]));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "16, 17",
    "64, 65",
    "100, 3000",
    "1000, 9000",
    "4096, 4097",
    "9000, 140000",
    "70000, 700000",
    "600000, 2500000",
    "3000000, 9500000"
  })
  void growsOnceAndShrinksBack(int small, int large) {
    ByteBuf buffer = newBuffer(small);
    byte[] model = fill(buffer);
    buffer.capacity(large);
    assertThat(bytesOf(buffer, 0, small)).isEqualTo(model);
    byte[] tail = randomBytes(large - small);
    buffer.setBytes(small, tail);
    assertThat(bytesOf(buffer, small, large - small)).isEqualTo(tail);
    assertThat(bytesOf(buffer, 0, small)).isEqualTo(model);
    buffer.capacity(small);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertOutOfBounds(buffer, () -> buffer.getByte(small));
  }

  @Test
  void sameCapacityChangesNothing() {
    ByteBuf buffer = newFullBuffer(100).setIndex(20, 80);
    byte[] content = contentOf(buffer);
    assertThat(buffer.capacity(100)).isSameAs(buffer);
    assertIndexes(buffer, 20, 80);
    assertThat(contentOf(buffer)).isEqualTo(content);
  }

  @ParameterizedTest
  @CsvSource({
    "20, 30, 100, 20, 30",
    "20, 30, 25, 20, 25",
    "20, 30, 20, 20, 20",
    "20, 30, 10, 10, 10",
    "20, 30, 30, 20, 30",
    "0, 30, 0, 0, 0",
    "64, 64, 63, 63, 63"
  })
  void indexesAreClamped(int reader, int writer, int capacity, int newReader, int newWriter) {
    ByteBuf buffer = newBuffer(64).setIndex(reader, writer);
    buffer.capacity(capacity);
    assertIndexes(buffer, newReader, newWriter);
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 63, 65, 200, 5000, 1 << 20})
  void marksWithinTheNewCapacityStay(int capacity) {
    ByteBuf buffer = newBuffer(64).setIndex(10, 20).markReaderIndex().markWriterIndex();
    buffer.setIndex(0, 30).capacity(capacity);
    buffer.resetReaderIndex().resetWriterIndex();
    assertIndexes(buffer, 10, 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 65, 5000, 200_000})
  void referencesAreKept(int capacity) {
    ByteBuf buffer = newBuffer(64).retain().retain();
    buffer.capacity(capacity);
    assertThat(buffer.refCnt()).isEqualTo(3);
    assertThat(buffer.release()).isFalse();
    buffer.capacity(2 * capacity);
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void maxCapacityIsRespected() {
    ByteBuf buffer = newBuffer(16, 100);
    fill(buffer);
    for (int bad : new int[] {101, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      assertRejected(IllegalArgumentException.class, buffer, () -> buffer.capacity(bad));
    }
    assertThat(buffer.capacity(100).capacity()).isEqualTo(100);
    assertRejected(IllegalArgumentException.class, buffer, () -> buffer.capacity(101));
    assertThat(buffer.maxCapacity()).isEqualTo(100);
  }

  @Test
  void allocatorRefusesImpossibleCapacities() {
    assertThatIllegalArgumentException().isThrownBy(() -> kind.newBuffer(2, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> kind.newBuffer(-1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> kind.newBuffer(-1, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> kind.newBuffer(1, -1));
  }

  @Test
  void hugeMaxCapacityCostsNothing() {
    ByteBuf buffer = newBuffer(10, Integer.MAX_VALUE).writerIndex(10);
    assertThat(buffer.maxCapacity()).isEqualTo(Integer.MAX_VALUE);
    assertThat(buffer.capacity()).isEqualTo(10);
    assertThat(buffer.maxWritableBytes()).isEqualTo(Integer.MAX_VALUE - 10);
    // An overflow of writerIndex + length must not look like room.
    assertOutOfBounds(buffer, () -> buffer.ensureWritable(Integer.MAX_VALUE));
    assertOutOfBounds(buffer, () -> buffer.ensureWritable(Integer.MAX_VALUE - 9));
  }

  @Test
  void startsFromZeroCapacity() {
    ByteBuf buffer = newBuffer(0, 1000);
    assertThat(buffer.capacity()).isZero();
    assertThat(buffer.isWritable()).isFalse();
    assertThat(buffer.maxWritableBytes()).isEqualTo(1000);
    assertOutOfBounds(buffer, () -> buffer.getByte(0));
    assertOutOfBounds(buffer, () -> buffer.setByte(0, 1));
    byte[] bytes = randomBytes(1000);
    buffer.writeBytes(bytes);
    assertThat(contentOf(buffer)).isEqualTo(bytes);
  }

  @Test
  void shrinksToZeroAndComesBack() {
    ByteBuf buffer = newFullBuffer(64);
    buffer.capacity(0);
    assertThat(buffer.capacity()).isZero();
    assertIndexes(buffer, 0, 0);
    assertThat(buffer.nioBuffer().remaining()).isZero();
    assertOutOfBounds(buffer, () -> buffer.getByte(0));
    byte[] bytes = randomBytes(300);
    buffer.writeBytes(bytes);
    assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
  }

  /** The constant empty buffer is allowed here: there is nothing to own or to release. */
  @Test
  void zeroMaxCapacityHoldsNothing() {
    ByteBuf buffer = newBuffer(0, 0);
    assertThat(buffer.capacity()).isZero();
    assertThat(buffer.maxCapacity()).isZero();
    assertThat(buffer.isReadable()).isFalse();
    assertThat(buffer.isWritable()).isFalse();
    assertThat(buffer.ensureWritable(1, true)).isEqualTo(1);
    assertOutOfBounds(buffer, () -> buffer.writeByte(1));
    assertOutOfBounds(buffer, () -> buffer.getByte(0));
    assertThat(buffer.writeBytes(new byte[0]).readBytes(new byte[0])).isSameAs(buffer);
    assertThat(buffer).isEqualTo(Unpooled.EMPTY_BUFFER);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void writingPrimitivesGrows(Primitive primitive) {
    ByteBuf buffer = newBuffer(1);
    int count = 3000;
    byte[] model = new byte[count * primitive.width];
    for (int i = 0; i < model.length; i += primitive.width) {
      long value = 0x9e37_79b9_7f4a_7c15L * i;
      primitive.writer.write(buffer, value);
      primitive.encode(model, i, primitive.order(), value);
    }
    assertThat(buffer.capacity()).isGreaterThanOrEqualTo(model.length);
    assertThat(readableBytesOf(buffer)).isEqualTo(model);
  }

  @Test
  void writingBytesGrows() {
    byte[] bytes = randomBytes(777);
    ByteBuf buffer = newBuffer(1);
    buffer.writeBytes(bytes);
    buffer.writeBytes(bytes, 7, 700);
    buffer.writeBytes(ByteBuffer.wrap(bytes));
    buffer.writeBytes(Unpooled.wrappedBuffer(bytes));
    buffer.writeBytes(newBuffer(bytes), 5, 600);
    buffer.writeZero(1111);
    byte[] expected = new byte[3 * 777 + 700 + 600 + 1111];
    ByteBuffer.wrap(expected)
        .put(bytes)
        .put(bytes, 7, 700)
        .put(bytes)
        .put(bytes)
        .put(bytes, 5, 600);
    assertThat(readableBytesOf(buffer)).isEqualTo(expected);
  }

  @Test
  void writingGrowsUpToTheMaxCapacityOnly() {
    ByteBuf buffer = newBuffer(1, 1000);
    for (int i = 0; i < 1000; i++) {
      buffer.writeByte(i);
      assertThat(buffer.capacity()).isBetween(i + 1, 1000);
    }
    assertThat(buffer.capacity()).isEqualTo(1000);
    assertOutOfBounds(buffer, () -> buffer.writeByte(1));
  }

  /** Growing or shrinking one buffer must not touch the blocks beside it. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16, 60, 500, 4000, 20_000})
  void neighboursAreNotTouched(int capacity) {
    ByteBuf[] buffers = new ByteBuf[48];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = newBuffer(capacity);
      setAll(buffers[i], i);
    }
    for (int i = 0; i < buffers.length; i += 2) {
      buffers[i].capacity(i % 4 == 0 ? capacity * 5 / 2 : capacity / 2);
      setAll(buffers[i], i);
    }
    for (int i = 0; i < buffers.length; i++) {
      byte[] expected = repeated(i, buffers[i].capacity());
      assertThat(contentOf(buffers[i])).as("buffer %d", i).isEqualTo(expected);
    }
  }

  private static void setAll(ByteBuf buffer, int value) {
    buffer.setBytes(0, repeated(value, buffer.capacity()));
  }

  private static byte[] repeated(int value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** What each turn leaves behind if the memory of the smaller size is lost: 60 MB in the end. */
  @Test
  void growingGivesTheOldMemoryBack() {
    long before = usedMemory();
    for (int i = 0; i < 200; i++) {
      ByteBuf buffer = newBuffer(300_000);
      buffer.capacity(600_000);
      buffer.release();
    }
    assertThat(usedMemory() - before).isLessThan(32 << 20);
  }

  private long usedMemory() {
    ByteBufAllocatorMetric metric = ((ByteBufAllocatorMetricProvider) kind.allocator()).metric();
    return kind.isDirect() ? metric.usedDirectMemory() : metric.usedHeapMemory();
  }

  /** All of Netty's kinds resolve a derived buffer through its parent at each access. */
  @Test
  void viewsMadeBeforeSeeTheGrownBuffer() {
    ByteBuf buffer = newFullBuffer(64);
    byte[] model = contentOf(buffer);
    ByteBuf slice = buffer.slice(10, 20);
    ByteBuf nested = slice.slice(5, 10);
    ByteBuf duplicate = buffer.duplicate();
    ByteBuf retained = buffer.retainedSlice(30, 10);
    ByteBuf readOnly = buffer.asReadOnly();
    buffer.capacity(20_000).setByte(16, 'x').setByte(39, 'y');
    model[16] = 'x';
    model[39] = 'y';
    assertThat(contentOf(slice)).isEqualTo(Arrays.copyOfRange(model, 10, 30));
    assertThat(contentOf(nested)).isEqualTo(Arrays.copyOfRange(model, 15, 25));
    assertThat(bytesOf(duplicate, 0, 64)).isEqualTo(model);
    assertThat(bytesOf(readOnly, 0, 64)).isEqualTo(model);
    assertThat(contentOf(retained)).isEqualTo(Arrays.copyOfRange(model, 30, 40));
    slice.setByte(0, 'z');
    assertThat(buffer.getByte(10)).isEqualTo((byte) 'z');
    assertThat(nested.nioBuffer(1, 1).get()).isEqualTo((byte) 'x');
    assertThat(duplicate.capacity()).isEqualTo(20_000);
    retained.release();
  }

  @Test
  void nioViewsTakenAfterwardsSeeTheNewMemory() {
    ByteBuf buffer = newFullBuffer(64);
    // Fills whatever the buffer may cache of its NIO view.
    assertThat(buffer.internalNioBuffer(0, 64).remaining()).isEqualTo(64);
    for (int capacity : new int[] {5000, 300_000, 40}) {
      buffer.capacity(capacity).setByte(capacity - 1, capacity);
      assertThat(buffer.internalNioBuffer(capacity - 1, 1).get()).isEqualTo((byte) capacity);
      ByteBuffer view = buffer.nioBuffer(0, capacity);
      assertThat(view.get(capacity - 1)).isEqualTo((byte) capacity);
      view.put(0, (byte) ~capacity);
      assertThat(buffer.getByte(0)).isEqualTo((byte) ~capacity);
    }
  }
}
