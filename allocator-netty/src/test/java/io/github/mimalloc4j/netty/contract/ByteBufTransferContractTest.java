package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes to and from arrays, NIO buffers and other ByteBufs of all kinds. */
class ByteBufTransferContractTest extends ByteBufContract {
  private static final int CAPACITY = 100;

  /** The ByteBufs that the other side may be, each with the same readable bytes. */
  enum Partner {
    HEAP,
    HEAP_WITH_OFFSET,
    NEITHER_ARRAY_NOR_VIEWS,
    DIRECT,
    SAME_KIND,
    SAME_KIND_SLICE,
    DUPLICATE,
    LITTLE_ENDIAN,
    COMPOSITE,
    COMPOSITE_OF_ONE,
    UNRELEASABLE,
    READ_ONLY,
    READ_ONLY_DIRECT,
    READ_ONLY_NIO;

    boolean isReadOnly() {
      return name().startsWith("READ_ONLY");
    }
  }

  @SuppressWarnings("deprecation")
  private ByteBuf newPartner(Partner partner, byte[] bytes) {
    int third = bytes.length / 3;
    return switch (partner) {
      case HEAP -> Unpooled.copiedBuffer(bytes);
      case HEAP_WITH_OFFSET -> {
        byte[] array = new byte[bytes.length + 9];
        System.arraycopy(bytes, 0, array, 5, bytes.length);
        yield Unpooled.wrappedBuffer(array, 5, bytes.length);
      }
      case NEITHER_ARRAY_NOR_VIEWS ->
          new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, bytes, bytes.length) {
            @Override
            public boolean hasArray() {
              return false;
            }

            @Override
            public int nioBufferCount() {
              return -1;
            }
          };
      case DIRECT -> newDirect(bytes);
      case SAME_KIND -> newBuffer(bytes);
      case SAME_KIND_SLICE ->
          newBuffer(bytes.length + 20)
              .setBytes(7, bytes)
              .slice(7, bytes.length)
              .writerIndex(bytes.length);
      case DUPLICATE -> newBuffer(bytes).duplicate();
      case LITTLE_ENDIAN -> newBuffer(bytes).order(ByteOrder.LITTLE_ENDIAN);
      case COMPOSITE ->
          releaseLater(
              Unpooled.wrappedBuffer(
                  newBuffer(Arrays.copyOf(bytes, third)).retain(),
                  newDirect(Arrays.copyOfRange(bytes, third, 2 * third)).retain(),
                  Unpooled.copiedBuffer(bytes, 2 * third, bytes.length - 2 * third)));
      case COMPOSITE_OF_ONE ->
          releaseLater(Unpooled.compositeBuffer().addComponent(true, newBuffer(bytes).retain()));
      case UNRELEASABLE -> Unpooled.unreleasableBuffer(newBuffer(bytes));
      case READ_ONLY -> newBuffer(bytes).asReadOnly();
      case READ_ONLY_DIRECT -> newDirect(bytes).asReadOnly();
      case READ_ONLY_NIO -> Unpooled.wrappedBuffer(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
    };
  }

  private ByteBuf newDirect(byte[] bytes) {
    return releaseLater(Unpooled.directBuffer(bytes.length, bytes.length)).writeBytes(bytes);
  }

  @ParameterizedTest
  @EnumSource(Partner.class)
  void setBytesFromAByteBuf(Partner partner) {
    byte[] bytes = randomBytes(61);
    ByteBuf source = newPartner(partner, bytes);
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);

    assertThat(buffer.setBytes(3, source, 11, 40)).isSameAs(buffer);
    System.arraycopy(bytes, 11, model, 3, 40);
    assertIndexes(source, 0, 61);
    assertThat(contentOf(buffer)).isEqualTo(model);

    assertThat(buffer.setBytes(20, source, 13)).isSameAs(buffer);
    System.arraycopy(bytes, 0, model, 20, 13);
    assertIndexes(source, 13, 61);

    assertThat(buffer.setBytes(50, source)).isSameAs(buffer);
    System.arraycopy(bytes, 13, model, 50, 48);
    assertIndexes(source, 61, 61);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertIndexes(buffer, 0, 0);
    assertThat(contentOf(source)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @EnumSource(Partner.class)
  void writeBytesFromAByteBuf(Partner partner) {
    byte[] bytes = randomBytes(61);
    ByteBuf source = newPartner(partner, bytes);
    ByteBuf buffer = newBuffer(1);

    assertThat(buffer.writeBytes(source, 20, 30)).isSameAs(buffer);
    assertIndexes(source, 0, 61);
    assertThat(readableBytesOf(buffer)).isEqualTo(Arrays.copyOfRange(bytes, 20, 50));

    assertThat(buffer.clear().writeBytes(source, 40)).isSameAs(buffer);
    assertIndexes(source, 40, 61);
    assertThat(buffer.writeBytes(source)).isSameAs(buffer);
    assertIndexes(source, 61, 61);
    assertThat(readableBytesOf(buffer)).isEqualTo(bytes);
    // Nothing is left to read: nothing is written.
    buffer.writeBytes(source);
    assertIndexes(buffer, 0, 61);
  }

  @ParameterizedTest
  @EnumSource(Partner.class)
  void getBytesToAByteBuf(Partner partner) {
    byte[] model = randomBytes(61);
    ByteBuf destination = newPartner(partner, model.clone());
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] content = contentOf(buffer);
    if (partner.isReadOnly()) {
      assertReadOnlyDestination(buffer, destination);
      return;
    }
    if (nettyCannotTransferTo(partner)) {
      return;
    }
    assertThat(buffer.getBytes(7, destination, 5, 40)).isSameAs(buffer);
    System.arraycopy(content, 7, model, 5, 40);
    assertIndexes(destination, 0, 61);
    assertThat(contentOf(destination)).isEqualTo(model);

    destination.clear();
    assertThat(buffer.getBytes(30, destination, 20)).isSameAs(buffer);
    System.arraycopy(content, 30, model, 0, 20);
    assertIndexes(destination, 0, 20);
    assertThat(buffer.getBytes(1, destination.writerIndex(41))).isSameAs(buffer);
    System.arraycopy(content, 1, model, 41, 20);
    assertIndexes(destination, 0, 61);
    assertThat(contentOf(destination)).isEqualTo(model);
    assertIndexes(buffer, 0, CAPACITY);
    assertThat(contentOf(buffer)).isEqualTo(content);
  }

  private void assertReadOnlyDestination(ByteBuf buffer, ByteBuf destination) {
    // Netty's buffers write through the address of a destination, read-only or not.
    if (kind.isNetty() && destination.hasMemoryAddress()) {
      return;
    }
    Class<? extends Throwable> refusal = ReadOnlyBufferException.class;
    assertRejected(refusal, destination, () -> buffer.getBytes(7, destination, 5, 40));
    assertRejected(refusal, destination, () -> buffer.readBytes(destination, 5, 40));
    assertIndexes(buffer, 0, CAPACITY);
  }

  /**
   * Without Unsafe, Netty's direct buffers ask any destination that has NIO buffers for its
   * internal one, which a composite of several parts refuses to give.
   */
  private boolean nettyCannotTransferTo(Partner partner) {
    return partner == Partner.COMPOSITE
        && kind.isNetty()
        && kind.isDirect()
        && !PlatformDependent.hasUnsafe();
  }

  @ParameterizedTest
  @EnumSource(Partner.class)
  void readBytesToAByteBuf(Partner partner) {
    if (partner.isReadOnly() || nettyCannotTransferTo(partner)) {
      return;
    }
    byte[] model = randomBytes(61);
    ByteBuf destination = newPartner(partner, model.clone());
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] content = contentOf(buffer);

    assertThat(buffer.readBytes(destination, 5, 40)).isSameAs(buffer);
    assertIndexes(buffer, 40, CAPACITY);
    assertIndexes(destination, 0, 61);
    System.arraycopy(content, 0, model, 5, 40);
    assertThat(contentOf(destination)).isEqualTo(model);

    assertThat(buffer.readBytes(destination.clear(), 13)).isSameAs(buffer);
    assertIndexes(buffer, 53, CAPACITY);
    assertIndexes(destination, 0, 13);
    assertThat(buffer.skipBytes(7).readBytes(destination.writerIndex(21))).isSameAs(buffer);
    assertIndexes(buffer, CAPACITY, CAPACITY);
    assertIndexes(destination, 0, 61);
    System.arraycopy(content, 40, model, 0, 13);
    System.arraycopy(content, 60, model, 21, 40);
    assertThat(contentOf(destination)).isEqualTo(model);
  }

  /** A composite or unknown partner may move the bytes itself, through the other side's methods. */
  @ParameterizedTest
  @EnumSource(Partner.class)
  void partnersReadAndWriteTheBuffer(Partner partner) {
    byte[] bytes = randomBytes(61);
    ByteBuf other = newPartner(partner, bytes);
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    other.getBytes(1, buffer, 30, 60);
    System.arraycopy(bytes, 1, model, 30, 60);
    assertThat(contentOf(buffer)).isEqualTo(model);
    if (!partner.isReadOnly()) {
      other.setBytes(0, buffer, 20, 61);
      assertThat(contentOf(other)).isEqualTo(Arrays.copyOfRange(model, 20, 81));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 1000, 70_000})
  void arraysOfEveryLength(int length) {
    byte[] bytes = randomBytes(length);
    ByteBuf buffer = newBuffer(length + 10);
    byte[] model = fill(buffer);
    assertThat(buffer.setBytes(5, bytes)).isSameAs(buffer);
    System.arraycopy(bytes, 0, model, 5, length);
    assertThat(contentOf(buffer)).isEqualTo(model);

    byte[] read = new byte[length + 4];
    assertThat(buffer.getBytes(5, read, 2, length)).isSameAs(buffer);
    assertThat(Arrays.copyOfRange(read, 2, 2 + length)).isEqualTo(bytes);
    assertThat(read[0] | read[1] | read[length + 2] | read[length + 3]).isZero();

    assertThat(buffer.clear().writeBytes(bytes)).isSameAs(buffer);
    byte[] again = new byte[length];
    assertThat(buffer.readBytes(again)).isSameAs(buffer);
    assertThat(again).isEqualTo(bytes);
    assertIndexes(buffer, length, length);
  }

  /** The NIO buffers that the other side may be. */
  enum NioPartner {
    HEAP,
    HEAP_SLICE,
    DIRECT,
    DIRECT_SLICE,
    LITTLE_ENDIAN,
    READ_ONLY_HEAP,
    READ_ONLY_DIRECT;

    boolean isReadOnly() {
      return name().startsWith("READ_ONLY");
    }

    /** A buffer with bytes around its position and limit that a transfer must leave alone. */
    ByteBuffer of(byte[] bytes) {
      ByteBuffer nio =
          name().contains("DIRECT")
              ? ByteBuffer.allocateDirect(bytes.length + 11)
              : ByteBuffer.allocate(bytes.length + 11);
      nio.put(6, bytes).limit(6 + bytes.length).position(6);
      return switch (this) {
        case HEAP, DIRECT -> nio;
        case HEAP_SLICE, DIRECT_SLICE -> nio.slice();
        case LITTLE_ENDIAN -> nio.order(ByteOrder.LITTLE_ENDIAN);
        case READ_ONLY_HEAP, READ_ONLY_DIRECT -> nio.asReadOnlyBuffer();
      };
    }
  }

  @ParameterizedTest
  @EnumSource(NioPartner.class)
  void bytesFromANioBuffer(NioPartner partner) {
    byte[] bytes = randomBytes(61);
    ByteBuf buffer = newBuffer(CAPACITY);
    byte[] model = fill(buffer);
    ByteBuffer source = partner.of(bytes);
    int limit = source.limit();
    assertThat(buffer.setBytes(9, source)).isSameAs(buffer);
    System.arraycopy(bytes, 0, model, 9, 61);
    assertThat(contentOf(buffer)).isEqualTo(model);
    assertThat(source.position()).isEqualTo(limit);
    assertThat(source.limit()).isEqualTo(limit);

    ByteBuf grown = newBuffer(1);
    assertThat(grown.writeBytes(partner.of(bytes))).isSameAs(grown);
    assertThat(readableBytesOf(grown)).isEqualTo(bytes);
    grown.writeBytes(source);
    assertIndexes(grown, 0, 61);
  }

  @ParameterizedTest
  @EnumSource(NioPartner.class)
  void bytesToANioBuffer(NioPartner partner) {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] content = contentOf(buffer);
    ByteBuffer destination = partner.of(new byte[61]);
    int position = destination.position();
    if (partner.isReadOnly()) {
      assertRejected(ReadOnlyBufferException.class, buffer, () -> buffer.getBytes(4, destination));
      assertRejected(ReadOnlyBufferException.class, buffer, () -> buffer.readBytes(destination));
      assertThat(destination.position()).isEqualTo(position);
      return;
    }
    assertThat(buffer.getBytes(4, destination)).isSameAs(buffer);
    assertThat(destination.remaining()).isZero();
    assertThat(destination.flip().position(position).remaining()).isEqualTo(61);
    byte[] read = new byte[61];
    destination.get(read);
    assertThat(read).isEqualTo(Arrays.copyOfRange(content, 4, 65));

    destination.position(position);
    assertThat(buffer.readBytes(destination)).isSameAs(buffer);
    assertIndexes(buffer, 61, CAPACITY);
    destination.position(position).get(read);
    assertThat(read).isEqualTo(Arrays.copyOf(content, 61));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 60",
    "1, 0, 60",
    "0, 40, 60",
    "40, 0, 60",
    "10, 10, 50",
    "0, 8, 64",
    "8, 0, 64"
  })
  void overlappingMoveWithinOneBuffer(int from, int to, int length) {
    ByteBuf buffer = newFullBuffer(CAPACITY);
    byte[] original = contentOf(buffer);
    byte[] moved = original.clone();
    System.arraycopy(original, from, moved, to, length);

    buffer.setBytes(to, buffer, from, length);
    assertThat(contentOf(buffer)).isEqualTo(moved);
    buffer.setBytes(0, original).getBytes(from, buffer, to, length);
    assertThat(contentOf(buffer)).isEqualTo(moved);
    buffer.setBytes(0, original).setBytes(to, buffer.slice(from, length));
    assertThat(contentOf(buffer)).isEqualTo(moved);
    buffer.setBytes(0, original).setBytes(to, buffer.nioBuffer(from, length));
    assertThat(contentOf(buffer)).isEqualTo(moved);
    buffer.setBytes(0, original).getBytes(from, buffer.nioBuffer(to, length));
    assertThat(contentOf(buffer)).isEqualTo(moved);
  }

  @Test
  void writingAViewOfTheBufferToItself() {
    ByteBuf buffer = newBuffer(randomBytes(64)).capacity(64);
    byte[] content = contentOf(buffer);
    assertThatThrownBy(() -> buffer.writeBytes(buffer.duplicate()))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ByteBuf growing = newFullBuffer(64);
    growing.writeBytes(growing.duplicate());
    assertThat(bytesOf(growing, 0, 64)).isEqualTo(content);
    assertThat(bytesOf(growing, 64, 64)).isEqualTo(content);
  }

  /** Whole words are cleared at a time, so every remainder at every alignment counts. */
  @Test
  void setZeroOfEverySmallRange() {
    ByteBuf buffer = newBuffer(48);
    for (int index = 0; index <= 16; index++) {
      for (int length = 0; length <= 32; length++) {
        byte[] model = fill(buffer);
        assertThat(buffer.setZero(index, length)).isSameAs(buffer);
        Arrays.fill(model, index, index + length, (byte) 0);
        assertThat(contentOf(buffer)).as("%d, %d", index, length).isEqualTo(model);
      }
    }
    assertIndexes(buffer, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 64, 1001, 70_001, 1 << 20})
  void writeZero(int length) {
    ByteBuf buffer = newBuffer(length + 10);
    byte[] model = fill(buffer);
    assertThat(buffer.writerIndex(3).writeZero(length)).isSameAs(buffer);
    Arrays.fill(model, 3, 3 + length, (byte) 0);
    assertIndexes(buffer, 0, 3 + length);
    assertThat(contentOf(buffer)).isEqualTo(model);
  }
}
