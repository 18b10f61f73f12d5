package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.support.BufferKind;
import io.github.mimalloc4j.netty.support.Primitive;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With leak detection at its highest level every buffer comes in a wrapper that records. */
class ByteBufLeakAwareContractTest extends ByteBufContract {
  @BeforeEach
  void trackEveryBuffer() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  /** Only the unpooled heap buffers are not tracked: the garbage collector frees them anyway. */
  @Test
  void allocatorWrapsEveryBuffer() {
    boolean tracked = kind != BufferKind.NETTY_UNPOOLED_HEAP;
    for (int i = 0; i < 10; i++) {
      ByteBuf buffer = newBuffer(64);
      assertThat(buffer.getClass().getSimpleName().endsWith("LeakAwareByteBuf")).isEqualTo(tracked);
      assertThat(buffer.unwrap() != null).isEqualTo(tracked);
    }
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void accessGoesThrough(Primitive primitive) {
    ByteBuf buffer = newBuffer(1, 100);
    byte[] model = new byte[3 * primitive.width];
    for (int i = 0; i < 3; i++) {
      primitive.writer.write(buffer, ~i);
      primitive.encode(model, i * primitive.width, primitive.order(), ~i);
    }
    assertThat(readableBytesOf(buffer)).isEqualTo(model);
    for (int i = 0; i < 3; i++) {
      long expected = primitive.decode(model, i * primitive.width, primitive.order());
      assertThat(primitive.getter.get(buffer, i * primitive.width)).isEqualTo(expected);
      assertThat(primitive.reader.read(buffer)).isEqualTo(expected);
    }
  }

  @Test
  void referencesAreCountedOnTheBufferItself() {
    ByteBuf buffer = newFullBuffer(64);
    assertThat(buffer.retain(2)).isSameAs(buffer);
    assertThat(buffer.touch("hint")).isSameAs(buffer);
    assertThat(buffer.refCnt()).isEqualTo(3);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release(2)).isTrue();
    assertThatThrownBy(() -> buffer.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::retain).isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void growingKeepsTheContentAndTheReferences() {
    ByteBuf buffer = newFullBuffer(64).retain();
    byte[] content = contentOf(buffer);
    for (int capacity : new int[] {100, 5000, 200_000, 64}) {
      assertThat(buffer.capacity(capacity)).isSameAs(buffer);
      assertThat(bytesOf(buffer, 0, 64)).isEqualTo(content);
      assertThat(buffer.refCnt()).isEqualTo(2);
    }
    assertThat(buffer.release()).isFalse();
  }

  @Test
  void derivedBuffersReleaseTheParent() {
    ByteBuf buffer = newFullBuffer(64);
    byte[] content = contentOf(buffer);
    ByteBuf slice = buffer.retainedSlice(4, 20);
    ByteBuf duplicate = buffer.retainedDuplicate();
    ByteBuf read = buffer.readRetainedSlice(10);
    assertThat(buffer.refCnt()).isEqualTo(4);
    assertThat(contentOf(slice)).isEqualTo(Arrays.copyOfRange(content, 4, 24));
    assertThat(contentOf(duplicate)).isEqualTo(content);
    assertThat(contentOf(read)).isEqualTo(Arrays.copyOf(content, 10));
    slice.release();
    duplicate.release();
    read.release();
    assertThat(buffer.refCnt()).isEqualTo(1);
  }

  @Test
  void copiesAreTrackedOnTheirOwn() {
    ByteBuf buffer = newFullBuffer(64);
    ByteBuf copy = releaseLater(buffer.copy());
    buffer.release();
    assertThat(copy.refCnt()).isEqualTo(1);
    assertThat(copy.readableBytes()).isEqualTo(64);
  }

  @Test
  void transfersBetweenTrackedBuffers() {
    ByteBuf buffer = newFullBuffer(64);
    ByteBuf other = newBuffer(1);
    other.writeBytes(buffer, 0, 64);
    assertThat(other).isEqualTo(buffer);
    buffer.setBytes(0, other, 10, 20).getBytes(5, other, 7, 9);
    assertThat(bytesOf(other, 7, 9)).isEqualTo(bytesOf(buffer, 5, 9));
    buffer.setBytes(8, buffer, 0, 50);
    assertThat(bytesOf(buffer, 18, 5)).isEqualTo(bytesOf(other, 20, 5));
  }

  @Test
  void compositeOfTrackedBuffers() {
    ByteBuf first = newFullBuffer(10);
    CompositeByteBuf composite = kind.allocator().compositeBuffer();
    composite.addComponent(true, first).addComponent(true, newFullBuffer(20));
    assertThat(composite.readableBytes()).isEqualTo(30);
    assertThat(bytesOf(composite, 10, 20)).isEqualTo(randomBytes(20));
    assertThat(composite.release()).isTrue();
    assertThat(first.refCnt()).isZero();
  }
}
