package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slices, duplicates, copies and other views: what they share with the buffer and what not. */
class ByteBufDerivedContractTest extends ByteBufContract {
  private static final int CAPACITY = 64;
  private static final int READER_INDEX = 10;
  private static final int WRITER_INDEX = 50;

  private ByteBuf newSubject() {
    return newFullBuffer(CAPACITY).setIndex(READER_INDEX, WRITER_INDEX);
  }

  /** Views that borrow the reference of the buffer that they are made from. */
  static Stream<Named<UnaryOperator<ByteBuf>>> borrowingViews() {
    return Stream.of(
        view("slice", ByteBuf::slice),
        view("slice(index, length)", b -> b.slice(4, 20)),
        view("readSlice", b -> b.readSlice(20)),
        view("duplicate", ByteBuf::duplicate),
        view("asReadOnly", ByteBuf::asReadOnly),
        view("order", ByteBufDerivedContractTest::littleEndian),
        view("slice of slice", b -> b.slice(4, 20).slice(2, 10)),
        view("duplicate of slice", b -> b.slice(4, 20).duplicate()),
        view("slice of duplicate", b -> b.duplicate().slice(4, 20)),
        view("read-only slice", b -> b.asReadOnly().slice(4, 20)));
  }

  /** Views that come with a reference of their own. */
  static Stream<Named<UnaryOperator<ByteBuf>>> retainingViews() {
    return Stream.of(
        view("retainedSlice", ByteBuf::retainedSlice),
        view("retainedSlice(index, length)", b -> b.retainedSlice(4, 20)),
        view("readRetainedSlice", b -> b.readRetainedSlice(20)),
        view("retainedDuplicate", ByteBuf::retainedDuplicate),
        view("retainedSlice of slice", b -> b.slice(4, 20).retainedSlice(2, 10)),
        view("retainedDuplicate of slice", b -> b.slice(4, 20).retainedDuplicate()),
        view("retained read-only slice", b -> b.asReadOnly().retainedSlice(4, 20)));
  }

  private static Named<UnaryOperator<ByteBuf>> view(String name, UnaryOperator<ByteBuf> view) {
    return Named.of(name, view);
  }

  @SuppressWarnings("deprecation")
  private static ByteBuf littleEndian(ByteBuf buffer) {
    return buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @MethodSource("borrowingViews")
  void borrowingViewSharesTheReference(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    ByteBuf derived = view.apply(buffer);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(derived.refCnt()).isEqualTo(1);
    derived.retain();
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(buffer.release()).isFalse();
    assertThat(derived.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
    assertThat(derived.refCnt()).isZero();
    assertThatThrownBy(() -> derived.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
  }

  /** Netty's pooled buffers may count the references of such a view apart, the parent's as one. */
  @ParameterizedTest
  @MethodSource("retainingViews")
  void retainingViewHasAReferenceOfItsOwn(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    ByteBuf derived = view.apply(buffer);
    boolean countsApart = kind.isPooled() && derived.refCnt() == 1;
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(derived.refCnt()).isEqualTo(countsApart ? 1 : 2);
    derived.retain();
    assertThat(derived.release()).isFalse();
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(derived.release()).isEqualTo(countsApart);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(buffer.release()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("retainingViews")
  void retainingViewOutlivesTheBuffer(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    ByteBuf derived = view.apply(buffer);
    byte[] content = contentOf(derived);
    buffer.release();
    assertThat(contentOf(derived)).isEqualTo(content);
    assertThat(derived.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
    assertThatThrownBy(() -> derived.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(derived::release).isInstanceOf(IllegalReferenceCountException.class);
  }

  @ParameterizedTest
  @MethodSource({"borrowingViews", "retainingViews"})
  void viewUnwrapsToTheBuffer(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    int references = buffer.refCnt();
    ByteBuf derived = view.apply(buffer);
    ByteBuf unwrapped = derived;
    while (unwrapped != buffer) {
      unwrapped = unwrapped.unwrap();
      assertThat(unwrapped).isNotNull();
    }
    assertThat(derived.isDirect()).isEqualTo(buffer.isDirect());
    assertThat(derived.alloc()).isSameAs(buffer.alloc());
    assertThat(derived.isContiguous()).isTrue();
    if (buffer.refCnt() > references) {
      derived.release();
    }
  }

  @ParameterizedTest
  @MethodSource({"borrowingViews", "retainingViews"})
  @SuppressWarnings("deprecation")
  void viewHasIndexesOfItsOwn(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    int references = buffer.refCnt();
    ByteBuf derived = view.apply(buffer);
    // Only the view of another byte order is the same buffer with the same indexes.
    if (derived.order() != ByteOrder.LITTLE_ENDIAN) {
      int reader = buffer.readerIndex();
      derived.skipBytes(5);
      assertIndexes(buffer, reader, WRITER_INDEX);
      buffer.setIndex(0, 1);
      assertThat(derived.readerIndex()).isGreaterThanOrEqualTo(5);
    }
    if (buffer.refCnt() > references) {
      derived.release();
    }
  }

  @Test
  void sliceCoversTheReadableBytes() {
    ByteBuf buffer = newSubject();
    ByteBuf slice = buffer.slice();
    assertSlice(slice, Arrays.copyOfRange(contentOf(buffer), READER_INDEX, WRITER_INDEX));
    assertIndexes(buffer, READER_INDEX, WRITER_INDEX);
  }

  @Test
  void sliceOfEveryRange() {
    ByteBuf buffer = newFullBuffer(20);
    byte[] content = contentOf(buffer);
    for (int index = 0; index <= 20; index++) {
      for (int length = 0; length <= 20 - index; length++) {
        assertSlice(
            buffer.slice(index, length), Arrays.copyOfRange(content, index, index + length));
      }
    }
  }

  private static void assertSlice(ByteBuf slice, byte[] content) {
    assertIndexes(slice, 0, content.length);
    assertThat(slice.capacity()).isEqualTo(content.length);
    assertThat(slice.maxCapacity()).isEqualTo(content.length);
    assertThat(contentOf(slice)).isEqualTo(content);
  }

  @Test
  void sliceCannotGrow() {
    ByteBuf slice = newSubject().slice();
    assertOutOfBounds(slice, () -> slice.writeByte(1));
    assertRejected(
        RuntimeException.class, slice, () -> slice.capacity(WRITER_INDEX - READER_INDEX + 1));
    assertThat(slice.ensureWritable(1, true)).isEqualTo(1);
  }

  @Test
  void readSliceMovesOn() {
    ByteBuf buffer = newSubject();
    byte[] content = readableBytesOf(buffer);
    assertSlice(buffer.readSlice(15), Arrays.copyOf(content, 15));
    assertIndexes(buffer, READER_INDEX + 15, WRITER_INDEX);
    ByteBuf retained = buffer.readRetainedSlice(25);
    assertSlice(retained, Arrays.copyOfRange(content, 15, 40));
    assertIndexes(buffer, WRITER_INDEX, WRITER_INDEX);
    retained.release();
  }

  @Test
  void duplicateStartsWithTheSameIndexes() {
    ByteBuf buffer = newSubject();
    ByteBuf duplicate = buffer.duplicate();
    assertIndexes(duplicate, READER_INDEX, WRITER_INDEX);
    assertThat(duplicate.capacity()).isEqualTo(CAPACITY);
    assertThat(duplicate.maxCapacity()).isEqualTo(buffer.maxCapacity());
    assertThat(contentOf(duplicate)).isEqualTo(contentOf(buffer));
  }

  @Test
  void duplicateGrowsTheBuffer() {
    ByteBuf buffer = newSubject();
    byte[] content = contentOf(buffer);
    ByteBuf duplicate = buffer.duplicate();
    duplicate.capacity(1000);
    assertThat(buffer.capacity()).isEqualTo(1000);
    assertThat(bytesOf(buffer, 0, CAPACITY)).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource({"borrowingViews", "retainingViews"})
  void bytesAreSharedBothWays(UnaryOperator<ByteBuf> view) {
    ByteBuf buffer = newSubject();
    byte[] model = contentOf(buffer);
    int references = buffer.refCnt();
    ByteBuf derived = view.apply(buffer);
    int at = indexOf(contentOf(derived), model);
    buffer.setByte(at + 3, ~model[at + 3]);
    assertThat(derived.getByte(3)).isEqualTo((byte) ~model[at + 3]);
    if (derived.isReadOnly()) {
      assertRejected(ReadOnlyBufferException.class, derived, () -> derived.setByte(4, 1));
    } else {
      derived.setByte(4, ~model[at + 4]);
      assertThat(buffer.getByte(at + 4)).isEqualTo((byte) ~model[at + 4]);
    }
    if (buffer.refCnt() > references) {
      derived.release();
    }
  }

  /** Where the part begins in the whole. */
  private static int indexOf(byte[] part, byte[] whole) {
    int at = 0;
    while (!Arrays.equals(part, Arrays.copyOfRange(whole, at, at + part.length))) {
      at++;
    }
    return at;
  }

  /** Not writeByte: Netty's read-only view moves its writer index before it refuses. */
  static Stream<Named<Function<ByteBuf, Object>>> writes() {
    return Stream.of(
        write("setByte", b -> b.setByte(0, 1)),
        write("setLong", b -> b.setLong(0, 1)),
        write("setZero", b -> b.setZero(0, 4)),
        write("setBytes", b -> b.setBytes(0, new byte[4])),
        write("writeShort", b -> b.writeShort(1)),
        write("writeBytes", b -> b.writeBytes(new byte[4])),
        write("discardReadBytes", ByteBuf::discardReadBytes),
        write("ensureWritable", b -> b.ensureWritable(1)));
  }

  private static Named<Function<ByteBuf, Object>> write(
      String name, Function<ByteBuf, Object> write) {
    return Named.of(name, write);
  }

  @ParameterizedTest
  @MethodSource("writes")
  void readOnlyViewRefusesWrites(Function<ByteBuf, Object> write) {
    ByteBuf buffer = newSubject();
    ByteBuf view = buffer.asReadOnly();
    assertRejected(ReadOnlyBufferException.class, view, () -> write.apply(view));
  }

  @Test
  void readOnlyViewReads() {
    ByteBuf buffer = newSubject();
    ByteBuf view = buffer.asReadOnly();
    assertThat(view.isReadOnly()).isTrue();
    assertThat(view.isWritable()).isFalse();
    assertThat(view.ensureWritable(1, true)).isEqualTo(1);
    assertThat(view.asReadOnly()).isSameAs(view);
    assertThat(view.hasArray()).isFalse();
    assertThat(view.nioBuffer().isReadOnly()).isTrue();
    assertIndexes(view, READER_INDEX, WRITER_INDEX);
    assertThat(contentOf(view)).isEqualTo(contentOf(buffer));
    assertThat(view).isEqualTo(buffer);
    assertThat(view.readLong()).isEqualTo(buffer.getLong(READER_INDEX));
  }

  @Test
  @SuppressWarnings("deprecation")
  void orderViewIsTheSameBufferTurnedRound() {
    ByteBuf buffer = newSubject();
    ByteBuf view = littleEndian(buffer);
    assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(view.order(ByteOrder.BIG_ENDIAN)).isSameAs(buffer);
    assertThat(view.order(ByteOrder.LITTLE_ENDIAN)).isSameAs(view);
    assertThat(view.unwrap()).isSameAs(buffer);
    view.setIndex(3, 9);
    assertIndexes(buffer, 3, 9);
    assertThat(view.slice(0, 8).getInt(0)).isEqualTo(buffer.getIntLE(0));
    assertThat(view.duplicate().getLong(8)).isEqualTo(buffer.getLongLE(8));
    assertThat(view.nioBuffer(0, 8).order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> buffer.order(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void copyIsIndependent() {
    ByteBuf buffer = newBuffer(CAPACITY, 200);
    fill(buffer);
    buffer.setIndex(READER_INDEX, WRITER_INDEX);
    ByteBuf copy = releaseLater(buffer.copy());
    byte[] readable = readableBytesOf(buffer);
    assertThat(copy.refCnt()).isEqualTo(1);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(copy.unwrap()).isNull();
    assertThat(copy.isDirect()).isEqualTo(buffer.isDirect());
    // Adaptive limits a copy to what its chunk would hold.
    if (!kind.isAdaptive()) {
      assertThat(copy.maxCapacity()).isEqualTo(buffer.maxCapacity());
    }
    assertIndexes(copy, 0, readable.length);
    assertThat(contentOf(copy)).isEqualTo(readable);
    buffer.setByte(READER_INDEX, ~readable[0]);
    assertThat(copy.getByte(0)).isEqualTo(readable[0]);
    copy.setByte(1, ~readable[1]);
    assertThat(buffer.getByte(READER_INDEX + 1)).isEqualTo(readable[1]);
    buffer.release();
    assertThat(copy.getByte(0)).isEqualTo(readable[0]);
  }

  @Test
  void copyOfEveryRange() {
    ByteBuf buffer = newFullBuffer(12);
    byte[] content = contentOf(buffer);
    for (int index = 0; index <= 12; index++) {
      for (int length = 0; length <= 12 - index; length++) {
        ByteBuf copy = releaseLater(buffer.copy(index, length));
        assertIndexes(copy, 0, length);
        assertThat(readableBytesOf(copy))
            .isEqualTo(Arrays.copyOfRange(content, index, index + length));
      }
    }
  }

  @Test
  void copiesOfViews() {
    ByteBuf buffer = newSubject();
    byte[] content = contentOf(buffer);
    assertThat(contentOf(releaseLater(buffer.slice(4, 20).copy(2, 10))))
        .isEqualTo(Arrays.copyOfRange(content, 6, 16));
    assertThat(contentOf(releaseLater(buffer.duplicate().copy(2, 10))))
        .isEqualTo(Arrays.copyOfRange(content, 2, 12));
    ByteBuf ofReadOnly = releaseLater(buffer.asReadOnly().copy(2, 10));
    assertThat(contentOf(ofReadOnly)).isEqualTo(Arrays.copyOfRange(content, 2, 12));
    assertThat(ofReadOnly.setByte(0, 5).getByte(0)).isEqualTo((byte) 5);
  }

  @Test
  void readBytesGivesABufferOfItsOwn() {
    ByteBuf buffer = newSubject();
    byte[] content = contentOf(buffer);
    ByteBuf read = releaseLater(buffer.readBytes(20));
    assertIndexes(buffer, READER_INDEX + 20, WRITER_INDEX);
    assertIndexes(read, 0, 20);
    assertThat(contentOf(read)).isEqualTo(Arrays.copyOfRange(content, 10, 30));
    read.setByte(0, ~content[10]);
    assertThat(buffer.getByte(10)).isEqualTo(content[10]);
    assertThat(buffer.readBytes(0).readableBytes()).isZero();
  }
}
