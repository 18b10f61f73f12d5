package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The buffer as a part of others: composites, wrappers, read-only and unreleasable views. */
class ByteBufCompositionContractTest extends ByteBufContract {
  private final byte[] bytes = randomBytes(60);

  /** The bytes in three parts of unequal length; the composite owns the parts. */
  private CompositeByteBuf newComposite() {
    CompositeByteBuf composite = kind.allocator().compositeBuffer();
    releaseLater(composite);
    composite.addComponent(true, kind.newBuffer(7, 7).writeBytes(bytes, 0, 7));
    // A part with bytes before and behind the readable ones, which must not show.
    composite.addComponent(
        true,
        kind.newBuffer(50, 50).writeZero(4).writeBytes(bytes, 7, 33).writeZero(4).setIndex(4, 37));
    composite.addComponent(true, kind.newBuffer(20, 100).writeBytes(bytes, 40, 20));
    return composite;
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void compositeReadsAndWritesAcrossItsParts(Primitive primitive) {
    CompositeByteBuf composite = newComposite();
    byte[] model = bytes.clone();
    assertThat(contentOf(composite)).isEqualTo(model);
    for (int i = 0; i <= 60 - primitive.width; i++) {
      assertThat(primitive.getter.get(composite, i))
          .isEqualTo(primitive.decode(model, i, primitive.order()));
    }
    for (int i = 0; i <= 60 - primitive.width; i++) {
      primitive.setter.set(composite, i, 0x1234_5678_9abc_def1L * i);
      primitive.encode(model, i, primitive.order(), 0x1234_5678_9abc_def1L * i);
    }
    assertThat(contentOf(composite)).isEqualTo(model);
  }

  @Test
  void compositeReleasesItsParts() {
    ByteBuf first = newBuffer(randomBytes(10));
    ByteBuf second = newBuffer(randomBytes(20));
    ByteBuf composite = Unpooled.wrappedBuffer(first, second);
    assertThat(composite.readableBytes()).isEqualTo(30);
    assertThat(composite.nioBufferCount()).isEqualTo(2);
    assertThat(first.refCnt()).isEqualTo(1);
    assertThat(composite.release()).isTrue();
    assertThat(first.refCnt()).isZero();
    assertThat(second.refCnt()).isZero();
  }

  @Test
  void compositeDiscardsPartsThatWereRead() {
    CompositeByteBuf composite = newComposite();
    ByteBuf first = composite.component(0).retain();
    composite.skipBytes(10).discardReadComponents();
    assertThat(composite.numComponents()).isEqualTo(2);
    assertThat(readableBytesOf(composite)).isEqualTo(Arrays.copyOfRange(bytes, 10, 60));
    assertThat(first.release()).isTrue();
  }

  @Test
  void compositeConsolidates() {
    CompositeByteBuf composite = newComposite();
    assertThat(composite.consolidate().numComponents()).isEqualTo(1);
    assertThat(contentOf(composite)).isEqualTo(bytes);
    composite.writeBytes(bytes);
    assertThat(readableBytesOf(composite)).hasSize(120).startsWith(bytes).endsWith(bytes);
  }

  @Test
  void slicesOfTheBufferAsParts() {
    ByteBuf buffer = newBuffer(bytes);
    CompositeByteBuf composite = Unpooled.compositeBuffer();
    for (int i = 0; i < 6; i++) {
      composite.addComponent(true, buffer.readRetainedSlice(10));
    }
    assertThat(buffer.refCnt()).isEqualTo(7);
    assertThat(contentOf(composite)).isEqualTo(bytes);
    composite.release();
    assertThat(buffer.refCnt()).isEqualTo(1);
  }

  @Test
  void compositeCopiesAndMerges() {
    CompositeByteBuf composite = newComposite();
    ByteBuf copy = releaseLater(composite.copy(5, 50));
    assertThat(contentOf(copy)).isEqualTo(Arrays.copyOfRange(bytes, 5, 55));
    ByteBuffer merged = composite.nioBuffer();
    byte[] read = new byte[merged.remaining()];
    merged.get(read);
    assertThat(read).isEqualTo(bytes);
  }

  @Test
  void wrappedBufferIsASliceOfTheReadableBytes() {
    ByteBuf buffer = newBuffer(bytes).setIndex(10, 50);
    ByteBuf wrapped = Unpooled.wrappedBuffer(buffer);
    assertThat(contentOf(wrapped)).isEqualTo(Arrays.copyOfRange(bytes, 10, 50));
    wrapped.setByte(0, ~bytes[10]);
    assertThat(buffer.getByte(10)).isEqualTo((byte) ~bytes[10]);
    assertThat(wrapped.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void wrappingAnEmptyBufferReleasesIt() {
    ByteBuf buffer = newBuffer(16);
    assertThat(Unpooled.wrappedBuffer(buffer)).isSameAs(Unpooled.EMPTY_BUFFER);
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void wrappedNioViewsAndArraysShareTheBytes() {
    ByteBuf buffer = newBuffer(bytes);
    ByteBuf wrapped =
        buffer.hasArray()
            ? Unpooled.wrappedBuffer(buffer.array(), buffer.arrayOffset(), 60)
            : Unpooled.wrappedBuffer(buffer.nioBuffer());
    assertThat(contentOf(wrapped)).isEqualTo(bytes);
    wrapped.setLong(3, 42);
    assertThat(buffer.getLong(3)).isEqualTo(42);
  }

  @Test
  @SuppressWarnings("deprecation")
  void unmodifiableBufferRefusesWrites() {
    ByteBuf buffer = newBuffer(bytes);
    ByteBuf view = Unpooled.unmodifiableBuffer(buffer);
    assertThat(view.isReadOnly()).isTrue();
    assertThat(contentOf(view)).isEqualTo(bytes);
    assertRejected(ReadOnlyBufferException.class, view, () -> view.setLong(0, 1));
    assertThat(view.getInt(4)).isEqualTo(buffer.getInt(4));
    assertThat(view.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void unreleasableBufferIgnoresReferences() {
    ByteBuf buffer = newBuffer(bytes);
    ByteBuf view = Unpooled.unreleasableBuffer(buffer);
    assertThat(view.release()).isFalse();
    assertThat(view.retain().refCnt()).isEqualTo(1);
    view.setByte(0, 9);
    assertThat(buffer.getByte(0)).isEqualTo((byte) 9);
    view.writerIndex(0).writeLong(42);
    assertThat(buffer.readLong()).isEqualTo(42);
  }

  @Test
  void copiedBufferIsIndependent() {
    ByteBuf buffer = newBuffer(bytes);
    ByteBuf copy = Unpooled.copiedBuffer(buffer, newBuffer(bytes));
    buffer.setZero(0, 60);
    assertThat(contentOf(copy)).hasSize(120).startsWith(bytes).endsWith(bytes);
    copy.release();
  }

  @Test
  void utilitiesTakeTheBufferAsTheirOwn() {
    ByteBuf buffer = newBuffer(bytes);
    ByteBuf part = ByteBufUtil.readBytes(kind.allocator(), buffer, 20);
    releaseLater(part);
    assertThat(contentOf(part)).isEqualTo(Arrays.copyOf(bytes, 20));
    assertIndexes(buffer, 20, 60);
    ByteBuf target = newBuffer(100);
    ByteBufUtil.copy(io.netty.util.AsciiString.of("0123456789"), 2, target, 5, 6);
    assertThat(target.toString(5, 6, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("234567");
  }

  @Test
  void ensureAccessibleTellsLiveFromReleased() {
    ByteBuf buffer = newBuffer(bytes);
    assertThat(ByteBufUtil.isAccessible(buffer)).isTrue();
    assertThat(ByteBufUtil.ensureAccessible(buffer)).isSameAs(buffer);
    buffer.release();
    assertThat(ByteBufUtil.isAccessible(buffer)).isFalse();
    assertThatThrownBy(() -> ByteBufUtil.ensureAccessible(buffer))
        .isInstanceOf(IllegalReferenceCountException.class);
  }
}
