package io.github.mimalloc4j.netty.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * With {@code io.netty.buffer.checkBounds} off, Netty does not check what lies within its buffer,
 * but still what is beyond the other side of a copy.
 */
class UncheckedBoundsTest {

  @Test
  void aCopyDoesNotGoBeyondTheOtherSide() {
    List<String> options = new ArrayList<>(OtherJvm.coverageAgent());
    options.add("-Dio.netty.buffer.checkBounds=false");
    OtherJvm.run(Copies.class, options.toArray(String[]::new)).assertSucceeded();
  }

  static final class Copies {
    public static void main(String[] args) {
      for (ByteBufAllocator allocator :
          List.of(PooledByteBufAllocator.DEFAULT, MiMallocByteBufAllocator.DEFAULT)) {
        copy(allocator.directBuffer(16));
        copy(allocator.heapBuffer(16));
      }
      for (boolean direct : new boolean[] {true, false}) {
        copyBuffers(direct);
      }
    }

    private static void copy(ByteBuf buffer) {
      byte[] array = new byte[4];
      buffer.writeZero(16);
      assertRefused(() -> buffer.getBytes(0, array, 2, 4));
      assertRefused(() -> buffer.getBytes(0, array, -1, 4));
      assertRefused(() -> buffer.readBytes(array, 1, 4));
      assertRefused(() -> buffer.setBytes(0, array, 2, 4));
      assertRefused(() -> buffer.setBytes(0, array, -1, 4));
      buffer.clear();
      assertRefused(() -> buffer.writeBytes(array, 1, 4));
      assertThat(buffer.setBytes(0, array, 1, 3).getBytes(0, array, 1, 3)).isSameAs(buffer);
      buffer.release();
    }

    /** Pooled checks a buffer on the other side only where it copies by memory address. */
    private static void copyBuffers(boolean direct) {
      for (boolean otherDirect : new boolean[] {true, false}) {
        ByteBuf buffer = allocate(direct, 16);
        ByteBuf other = allocate(otherDirect, 4);
        assertRefused(() -> buffer.getBytes(0, other, 2, 4));
        assertRefused(() -> buffer.getBytes(0, other, -1, 4));
        assertRefused(() -> buffer.setBytes(0, other, 2, 4));
        assertRefused(() -> buffer.setBytes(0, other, -1, 4));
        buffer.release();
        other.release();
      }
    }

    private static ByteBuf allocate(boolean direct, int bytes) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      return direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
    }

    private static void assertRefused(ThrowingCallable copy) {
      assertThatThrownBy(copy).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
