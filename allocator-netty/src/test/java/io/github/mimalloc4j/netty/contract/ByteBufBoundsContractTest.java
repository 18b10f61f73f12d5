package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.support.NettyLine;
import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever does not fit is refused, and a refused operation changes nothing. */
class ByteBufBoundsContractTest extends ByteBufContract {
  private static final int CAPACITY = 16;
  private static final int READER_INDEX = 4;
  private static final int WRITER_INDEX = 12;
  private static final int READABLE = WRITER_INDEX - READER_INDEX;
  private static final int MAX = Integer.MAX_VALUE;
  private static final int MIN = Integer.MIN_VALUE;

  /** Pairs of index and length that no buffer of CAPACITY bytes has. */
  private static final int[][] BAD_RANGES = {
    {-1, 0},
    {-1, 1},
    {0, -1},
    {0, CAPACITY + 1},
    {1, CAPACITY},
    {CAPACITY, 1},
    {CAPACITY + 1, 0},
    {CAPACITY, -1},
    {1, MAX},
    {MAX, 1},
    {MAX, MAX},
    {MIN, 1},
    {0, MIN},
    {MIN, MIN},
    {MIN, MAX}
  };

  /** Lengths that a buffer with READABLE bytes cannot read. */
  static final int[] BAD_READS = {
    READABLE + 1, CAPACITY, CAPACITY + 1, MAX - READER_INDEX, MAX, -1, MIN
  };

  /** Lengths that a buffer with four writable bytes and no room to grow cannot take. */
  static final int[] BAD_WRITES = {
    CAPACITY - WRITER_INDEX + 1, CAPACITY, CAPACITY + 1, MAX - WRITER_INDEX, MAX, -1, MIN
  };

  interface RangeOperation {
    Object apply(ByteBuf buffer, int index, int length) throws Exception;
  }

  interface LengthOperation {
    Object apply(ByteBuf buffer, int length) throws Exception;
  }

  private ByteBuf newSubject() {
    ByteBuf buffer = newBuffer(CAPACITY, CAPACITY);
    fill(buffer);
    return buffer.setIndex(READER_INDEX, WRITER_INDEX);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void getAndSetOutsideTheCapacity(Primitive primitive) {
    ByteBuf buffer = newSubject();
    int[] badIndexes = {-1, -primitive.width, CAPACITY - primitive.width + 1, CAPACITY, MAX, MIN};
    for (int index : badIndexes) {
      assertOutOfBounds(buffer, () -> primitive.getter.get(buffer, index));
      assertOutOfBounds(buffer, () -> primitive.setter.set(buffer, index, -1));
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void readBeyondTheWriterIndex(Primitive primitive) {
    ByteBuf buffer = newSubject();
    for (int readable = 0; readable < primitive.width; readable++) {
      buffer.setIndex(WRITER_INDEX - readable, WRITER_INDEX);
      assertOutOfBounds(buffer, () -> primitive.reader.read(buffer));
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void writeBeyondTheMaxCapacity(Primitive primitive) {
    ByteBuf buffer = newSubject();
    for (int writable = 0; writable < primitive.width; writable++) {
      buffer.writerIndex(CAPACITY - writable);
      assertOutOfBounds(buffer, () -> primitive.writer.write(buffer, -1));
    }
  }

  static Stream<Named<RangeOperation>> rangeOperations() {
    return Stream.of(
        range("copy", ByteBuf::copy),
        range("slice", ByteBuf::slice),
        range("retainedSlice", ByteBuf::retainedSlice),
        range("nioBuffer", ByteBuf::nioBuffer),
        range("internalNioBuffer", ByteBuf::internalNioBuffer),
        range("nioBuffers", ByteBuf::nioBuffers),
        range("getBytes(ByteBuf)", (b, i, n) -> b.getBytes(i, Unpooled.buffer(64), n)),
        range("getBytes(ByteBuf, index)", (b, i, n) -> b.getBytes(i, Unpooled.buffer(64), 0, n)),
        range("getBytes(byte[])", (b, i, n) -> b.getBytes(i, new byte[64], 0, n)),
        range("setBytes(ByteBuf)", (b, i, n) -> b.setBytes(i, readable(64), n)),
        range("setBytes(ByteBuf, index)", (b, i, n) -> b.setBytes(i, readable(64), 0, n)),
        range("setBytes(byte[])", (b, i, n) -> b.setBytes(i, new byte[64], 0, n)),
        range("toString", (b, i, n) -> b.toString(i, n, StandardCharsets.US_ASCII)),
        range("getCharSequence", (b, i, n) -> b.getCharSequence(i, n, StandardCharsets.US_ASCII)),
        range("forEachByte", (b, i, n) -> b.forEachByte(i, n, value -> true)),
        range("forEachByteDesc", (b, i, n) -> b.forEachByteDesc(i, n, value -> true)));
  }

  static Stream<Named<RangeOperation>> streamOperations() {
    return Stream.of(
        range("getBytes(OutputStream)", (b, i, n) -> b.getBytes(i, new ByteArrayOutputStream(), n)),
        range("getBytes(channel)", (b, i, n) -> b.getBytes(i, sink(), n)),
        range("setBytes(InputStream)", (b, i, n) -> b.setBytes(i, stream(), n)),
        range("setBytes(channel)", (b, i, n) -> b.setBytes(i, source(), n)));
  }

  static Stream<Named<LengthOperation>> readOperations() {
    Stream<Named<LengthOperation>> onlyIn42 =
        Stream.of(length("readString", (b, n) -> b.readString(n, StandardCharsets.US_ASCII)));
    Stream<Named<LengthOperation>> always =
        Stream.of(
            length("skipBytes", ByteBuf::skipBytes),
            length("readSlice", ByteBuf::readSlice),
            length("readRetainedSlice", ByteBuf::readRetainedSlice),
            length("readBytes", ByteBuf::readBytes),
            length("readBytes(ByteBuf)", (b, n) -> b.readBytes(Unpooled.buffer(64), n)),
            length("readBytes(ByteBuf, index)", (b, n) -> b.readBytes(Unpooled.buffer(64), 0, n)),
            length("readBytes(byte[])", (b, n) -> b.readBytes(new byte[64], 0, n)),
            length(
                "readBytes(OutputStream)", (b, n) -> b.readBytes(new ByteArrayOutputStream(), n)),
            length("readBytes(channel)", (b, n) -> b.readBytes(sink(), n)),
            length("readCharSequence", (b, n) -> b.readCharSequence(n, StandardCharsets.US_ASCII)));
    return NettyLine.readsStrings() ? Stream.concat(always, onlyIn42) : always;
  }

  static Stream<Named<LengthOperation>> writeOperations() {
    return Stream.of(
        length("writeZero", ByteBuf::writeZero),
        length("writeBytes(ByteBuf)", (b, n) -> b.writeBytes(readable(64), n)),
        length("writeBytes(ByteBuf, index)", (b, n) -> b.writeBytes(readable(64), 0, n)),
        length("writeBytes(byte[])", (b, n) -> b.writeBytes(new byte[64], 0, n)),
        length("writeBytes(InputStream)", (b, n) -> b.writeBytes(stream(), n)),
        length("writeBytes(channel)", (b, n) -> b.writeBytes(source(), n)));
  }

  @ParameterizedTest
  @MethodSource("rangeOperations")
  void rangeOutsideTheCapacity(RangeOperation operation) {
    ByteBuf buffer = newSubject();
    for (int[] range : BAD_RANGES) {
      assertRangeRefused(buffer, operation, range[0], range[1]);
    }
  }

  /**
   * The unpooled buffers leave the check of some of these to NIO and throw its exceptions, or with
   * a length of zero none at all, so only buffers that check for themselves are tested.
   */
  @ParameterizedTest
  @MethodSource("streamOperations")
  void streamRangeOutsideTheCapacity(RangeOperation operation) {
    if (!kind.isUnpooled()) {
      rangeOutsideTheCapacity(operation);
    }
  }

  /** With nothing to clear, some of Netty's buffers do not look at the index. */
  @Test
  void setZeroOutsideTheCapacity() {
    ByteBuf buffer = newSubject();
    for (int[] range : BAD_RANGES) {
      if (range[1] != 0) {
        assertRangeRefused(buffer, ByteBuf::setZero, range[0], range[1]);
      }
    }
  }

  /** A negative length may be refused as such or as part of a range: Netty's buffers do both. */
  private static void assertRangeRefused(
      ByteBuf buffer, RangeOperation operation, int index, int length) {
    Throwable thrown = catchWithoutTrace(buffer, () -> operation.apply(buffer, index, length));
    if (length < 0) {
      assertThat(thrown)
          .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class);
    } else {
      assertThat(thrown).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("readOperations")
  void readLengthBeyondTheWriterIndex(LengthOperation operation) {
    ByteBuf buffer = newSubject();
    for (int length : BAD_READS) {
      assertRejected(refusalOf(length), buffer, () -> operation.apply(buffer, length));
    }
  }

  @ParameterizedTest
  @MethodSource("writeOperations")
  void writeLengthBeyondTheMaxCapacity(LengthOperation operation) {
    ByteBuf buffer = newSubject();
    for (int length : BAD_WRITES) {
      assertRejected(refusalOf(length), buffer, () -> operation.apply(buffer, length));
    }
  }

  private static Class<? extends Throwable> refusalOf(int length) {
    return length < 0 ? IllegalArgumentException.class : IndexOutOfBoundsException.class;
  }

  @Test
  void destinationTooSmall() {
    ByteBuf buffer = newSubject();
    for (ByteBuf destination : List.of(Unpooled.buffer(8, 8), newBuffer(8, 8))) {
      byte[] before = fill(destination);
      assertOutOfBounds(buffer, () -> buffer.getBytes(0, destination, 9));
      assertOutOfBounds(buffer, () -> buffer.getBytes(0, destination, 1, 8));
      assertOutOfBounds(buffer, () -> buffer.getBytes(0, destination, -1, 4));
      assertOutOfBounds(buffer, () -> buffer.getBytes(0, destination, MAX, 4));
      assertOutOfBounds(buffer, () -> buffer.readBytes(destination, 1, 8));
      destination.writerIndex(1);
      assertOutOfBounds(buffer, () -> buffer.readBytes(destination, 8));
      assertThat(contentOf(destination)).isEqualTo(before);
      assertIndexes(destination, 0, 1);
    }
    byte[] array = new byte[8];
    assertOutOfBounds(buffer, () -> buffer.getBytes(0, array, 1, 8));
    assertOutOfBounds(buffer, () -> buffer.getBytes(0, array, -1, 4));
    assertOutOfBounds(buffer, () -> buffer.readBytes(array, MAX, 4));
    assertThat(array).containsOnly(0);
  }

  @Test
  void sourceTooSmall() {
    ByteBuf buffer = newSubject();
    for (ByteBuf source : List.of(Unpooled.buffer(8, 8), newBuffer(8, 8))) {
      source.writerIndex(4);
      assertOutOfBounds(buffer, () -> buffer.setBytes(0, source, 5));
      assertOutOfBounds(buffer, () -> buffer.setBytes(0, source, 5, 4));
      assertOutOfBounds(buffer, () -> buffer.setBytes(0, source, -1, 4));
      assertOutOfBounds(buffer, () -> buffer.setBytes(0, source, MAX, 4));
      source.setIndex(2, 4);
      assertOutOfBounds(buffer, () -> buffer.writeBytes(source, 3));
      assertOutOfBounds(buffer, () -> buffer.writeBytes(source, 7, 2));
      assertIndexes(source, 2, 4);
    }
    assertOutOfBounds(buffer, () -> buffer.setBytes(0, new byte[8], 1, 8));
    assertOutOfBounds(buffer, () -> buffer.setBytes(0, new byte[8], -1, 4));
    assertOutOfBounds(buffer, () -> buffer.writeBytes(new byte[8], 7, 2));
    assertOutOfBounds(buffer, () -> buffer.writeBytes(new byte[8], -1, 2));
  }

  @Test
  void nioBufferTooLarge() {
    ByteBuf buffer = newSubject();
    for (ByteBuffer nio : List.of(ByteBuffer.allocate(64), ByteBuffer.allocateDirect(64))) {
      for (int index : new int[] {-1, 0, 1, CAPACITY, MAX, MIN}) {
        assertOutOfBounds(buffer, () -> buffer.getBytes(index, nio));
        assertOutOfBounds(buffer, () -> buffer.setBytes(index, nio));
      }
      assertOutOfBounds(buffer, () -> buffer.writeBytes(nio));
      nio.limit(READABLE + 1);
      assertOutOfBounds(buffer, () -> buffer.readBytes(nio));
      assertThat(nio.position()).isZero();
      assertThat(nio.limit()).isEqualTo(READABLE + 1);
    }
  }

  @Test
  void nullPartners() {
    ByteBuf buffer = newSubject();
    Class<? extends Throwable> npe = NullPointerException.class;
    assertRejected(npe, buffer, () -> buffer.getBytes(0, (byte[]) null));
    assertRejected(npe, buffer, () -> buffer.getBytes(0, (ByteBuf) null));
    assertRejected(npe, buffer, () -> buffer.getBytes(0, (ByteBuffer) null));
    assertRejected(npe, buffer, () -> buffer.setBytes(0, (byte[]) null));
    assertRejected(npe, buffer, () -> buffer.setBytes(0, (ByteBuf) null));
    assertRejected(npe, buffer, () -> buffer.setBytes(0, (ByteBuffer) null));
    assertRejected(npe, buffer, () -> buffer.getBytes(0, (byte[]) null, 0, 4));
    assertRejected(npe, buffer, () -> buffer.forEachByte(null));
  }

  private static Named<RangeOperation> range(String name, RangeOperation operation) {
    return Named.of(name, operation);
  }

  private static Named<LengthOperation> length(String name, LengthOperation operation) {
    return Named.of(name, operation);
  }

  private static ByteBuf readable(int length) {
    return Unpooled.wrappedBuffer(new byte[length]);
  }

  private static ByteArrayInputStream stream() {
    return new ByteArrayInputStream(new byte[64]);
  }

  private static ShortChannel sink() {
    return ShortChannel.writable(64);
  }

  private static ShortChannel source() {
    return ShortChannel.readable(new byte[64], 64);
  }
}
