package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NIO views, arrays and addresses: other ways to the same bytes. */
class ByteBufNioContractTest extends ByteBufContract {
  private static final int CAPACITY = 64;

  private ByteBuf newSubject() {
    return newFullBuffer(CAPACITY).setIndex(10, 50);
  }

  private static byte[] remainingOf(ByteBuffer nio) {
    byte[] bytes = new byte[nio.remaining()];
    nio.duplicate().get(bytes);
    return bytes;
  }

  @Test
  void nioBufferShowsTheReadableBytes() {
    ByteBuf buffer = newSubject();
    ByteBuffer nio = buffer.nioBuffer();
    assertThat(nio.remaining()).isEqualTo(40);
    assertThat(remainingOf(nio)).isEqualTo(readableBytesOf(buffer));
    assertThat(nio.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(nio.isDirect()).isEqualTo(buffer.isDirect());
    assertThat(nio.isReadOnly()).isFalse();
    assertIndexes(buffer, 10, 50);
  }

  @Test
  void nioBufferOfEveryRange() {
    ByteBuf buffer = newFullBuffer(20);
    byte[] content = contentOf(buffer);
    for (int index = 0; index <= 20; index++) {
      for (int length = 0; length <= 20 - index; length++) {
        byte[] range = Arrays.copyOfRange(content, index, index + length);
        assertThat(remainingOf(buffer.nioBuffer(index, length))).isEqualTo(range);
        assertThat(remainingOf(buffer.internalNioBuffer(index, length))).isEqualTo(range);
        ByteBuffer[] parts = buffer.nioBuffers(index, length);
        assertThat(parts).hasSize(1);
        assertThat(remainingOf(parts[0])).isEqualTo(range);
      }
    }
  }

  @Test
  void nioBufferIsFreshEachTime() {
    ByteBuf buffer = newSubject();
    ByteBuffer first = buffer.nioBuffer();
    ByteBuffer second = buffer.nioBuffer();
    assertThat(first).isNotSameAs(second);
    first.position(first.position() + 7).limit(first.position() + 5);
    first.order(ByteOrder.LITTLE_ENDIAN);
    assertThat(second.remaining()).isEqualTo(40);
    assertThat(second.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    // Whoever uses the internal view must not move those that were given away.
    assertThat(buffer.internalNioBuffer(0, 3).remaining()).isEqualTo(3);
    assertThat(remainingOf(second)).isEqualTo(readableBytesOf(buffer));
  }

  @Test
  void nioBufferWritesThroughAndSeesWrites() {
    ByteBuf buffer = newSubject();
    for (ByteBuffer nio :
        List.of(
            buffer.nioBuffer(8, 16),
            buffer.nioBuffers(8, 16)[0],
            buffer.internalNioBuffer(8, 16))) {
      int start = nio.position();
      nio.putLong(start, 0x0102030405060708L);
      assertThat(buffer.getLong(8)).isEqualTo(0x0102030405060708L);
      buffer.setLong(16, 42);
      assertThat(nio.getLong(start + 8)).isEqualTo(42);
      nio.put(start, (byte) 99);
      assertThat(buffer.getByte(8)).isEqualTo((byte) 99);
    }
    assertIndexes(buffer, 10, 50);
  }

  @Test
  void nioBufferCannotReachBeyondItsRange() {
    ByteBuf buffer = newSubject();
    ByteBuffer nio = buffer.nioBuffer(8, 16);
    assertThat(nio.capacity() - nio.position()).isLessThanOrEqualTo(CAPACITY - 8);
    assertThatThrownBy(() -> nio.get(nio.limit())).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> nio.put(new byte[17]))
        .isInstanceOf(java.nio.BufferOverflowException.class);
  }

  /**
   * Read and written by the NIO classes, the view must not depend on what was done to it before.
   */
  @Test
  void internalNioBufferIsSetAnewEachTime() {
    ByteBuf buffer = newSubject();
    byte[] content = contentOf(buffer);
    ByteBuffer nio = buffer.internalNioBuffer(5, 10);
    nio.position(nio.limit());
    assertThat(remainingOf(buffer.internalNioBuffer(0, CAPACITY))).isEqualTo(content);
    assertThat(remainingOf(buffer.internalNioBuffer(CAPACITY, 0))).isEmpty();
    assertThat(remainingOf(buffer.internalNioBuffer(60, 4)))
        .isEqualTo(Arrays.copyOfRange(content, 60, 64));
    assertThat(remainingOf(buffer.internalNioBuffer(0, 4)))
        .isEqualTo(Arrays.copyOfRange(content, 0, 4));
  }

  /** Whatever was done to the view of a buffer that had the same memory before. */
  @Test
  void internalNioBufferOfANewBufferIsBigEndian() {
    for (int i = 0; i < 3; i++) {
      ByteBuf buffer = newBuffer(CAPACITY);
      ByteBuffer nio = buffer.internalNioBuffer(0, 8);
      assertThat(nio.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
      nio.order(ByteOrder.LITTLE_ENDIAN);
      buffer.release();
    }
  }

  @Test
  void oneNioBufferHoldsAll() {
    ByteBuf buffer = newSubject();
    assertThat(buffer.nioBufferCount()).isEqualTo(1);
    ByteBuffer[] all = buffer.nioBuffers();
    assertThat(all).hasSize(1);
    assertThat(remainingOf(all[0])).isEqualTo(readableBytesOf(buffer));
    assertThat(buffer.isContiguous()).isTrue();
  }

  @Test
  void nioBufferOfAView() {
    ByteBuf buffer = newSubject();
    byte[] content = contentOf(buffer);
    assertThat(remainingOf(buffer.slice(20, 20).nioBuffer(5, 10)))
        .isEqualTo(Arrays.copyOfRange(content, 25, 35));
    assertThat(remainingOf(buffer.slice(20, 20).internalNioBuffer(5, 10)))
        .isEqualTo(Arrays.copyOfRange(content, 25, 35));
    assertThat(remainingOf(buffer.duplicate().nioBuffer())).isEqualTo(readableBytesOf(buffer));
    assertThat(remainingOf(buffer.asReadOnly().nioBuffer())).isEqualTo(readableBytesOf(buffer));
  }

  @Test
  void arrayHoldsTheBytesAtItsOffset() {
    ByteBuf buffer = newSubject();
    if (!buffer.hasArray()) {
      assertThat(buffer.isDirect()).isTrue();
      assertThatThrownBy(buffer::array).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(buffer::arrayOffset).isInstanceOf(UnsupportedOperationException.class);
      return;
    }
    byte[] array = buffer.array();
    int offset = buffer.arrayOffset();
    assertThat(buffer.isDirect()).isFalse();
    assertThat(offset + CAPACITY).isLessThanOrEqualTo(array.length);
    assertThat(Arrays.copyOfRange(array, offset, offset + CAPACITY)).isEqualTo(contentOf(buffer));
    array[offset + 7] = 77;
    assertThat(buffer.getByte(7)).isEqualTo((byte) 77);
    buffer.setByte(8, 88);
    assertThat(array[offset + 8]).isEqualTo((byte) 88);
  }

  /** Netty's and our kinds of heap buffer all give their array away. */
  @Test
  void heapBufferHasAnArrayAndDirectBufferHasNone() {
    assertThat(newSubject().hasArray()).isEqualTo(!kind.isDirect());
  }

  @Test
  void arrayOfAView() {
    ByteBuf buffer = newSubject();
    ByteBuf slice = buffer.slice(20, 20);
    ByteBuf duplicate = buffer.duplicate();
    assertThat(slice.hasArray()).isEqualTo(buffer.hasArray());
    assertThat(slice.hasMemoryAddress()).isEqualTo(buffer.hasMemoryAddress());
    if (buffer.hasArray()) {
      assertThat(slice.array()).isSameAs(buffer.array());
      assertThat(slice.arrayOffset()).isEqualTo(buffer.arrayOffset() + 20);
      assertThat(duplicate.arrayOffset()).isEqualTo(buffer.arrayOffset());
    }
    if (buffer.hasMemoryAddress()) {
      assertThat(slice.memoryAddress()).isEqualTo(buffer.memoryAddress() + 20);
      assertThat(duplicate.memoryAddress()).isEqualTo(buffer.memoryAddress());
    }
  }

  @Test
  void nioBufferOfAHeapBufferHasTheSameArray() {
    ByteBuf buffer = newSubject();
    ByteBuffer nio = buffer.nioBuffer(12, 20);
    assertThat(nio.hasArray()).isEqualTo(buffer.hasArray());
    if (buffer.hasArray()) {
      assertThat(nio.array()).isSameAs(buffer.array());
      assertThat(nio.arrayOffset() + nio.position()).isEqualTo(buffer.arrayOffset() + 12);
    }
  }

  @Test
  void memoryAddressIsWhereTheBytesAre() {
    ByteBuf buffer = newSubject();
    if (!buffer.hasMemoryAddress()) {
      assertThatThrownBy(buffer::memoryAddress).isInstanceOf(UnsupportedOperationException.class);
      return;
    }
    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.memoryAddress()).isNotZero();
    if (PlatformDependent.hasUnsafe()) {
      byte[] bytes = new byte[CAPACITY];
      PlatformDependent.copyMemory(buffer.memoryAddress(), bytes, 0, CAPACITY);
      assertThat(bytes).isEqualTo(contentOf(buffer));
      assertThat(PlatformDependent.directBufferAddress(buffer.nioBuffer(9, 1)))
          .isEqualTo(buffer.memoryAddress() + 9);
    }
  }

  /** With Unsafe, native transports and OpenSSL rely on the address of every direct buffer. */
  @Test
  void directBufferHasAnAddressWhereUnsafeIsThere() {
    if (PlatformDependent.hasUnsafe()) {
      assertThat(newSubject().hasMemoryAddress()).isEqualTo(kind.isDirect());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 5000, 70_000, 1 << 20})
  void viewsOfALargeBufferReachItsLastByte(int capacity) {
    ByteBuf buffer = newFullBuffer(capacity);
    byte[] content = contentOf(buffer);
    assertThat(remainingOf(buffer.nioBuffer())).isEqualTo(content);
    assertThat(remainingOf(buffer.internalNioBuffer(0, capacity))).isEqualTo(content);
    buffer.nioBuffer(capacity - 1, 1).put((byte) 5);
    assertThat(buffer.getByte(capacity - 1)).isEqualTo((byte) 5);
  }

  @Test
  void emptyRange() {
    ByteBuf buffer = newBuffer(16);
    assertThat(buffer.nioBuffer().remaining()).isZero();
    assertThat(buffer.nioBuffers()[0].remaining()).isZero();
    assertThat(buffer.internalNioBuffer(16, 0).remaining()).isZero();
  }
}
