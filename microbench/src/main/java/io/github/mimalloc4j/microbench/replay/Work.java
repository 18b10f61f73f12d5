package io.github.mimalloc4j.microbench.replay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * What is done for an operation. A JVM has objects of one of the two classes only, so that calls
 * are as monomorphic as in a program with one allocator.
 */
abstract class Work {
  /** The smallest unit in which systems make memory resident. */
  private static final int OS_PAGE = 4096;

  abstract ByteBuf allocate(boolean direct, int size);

  abstract void resize(ByteBuf buffer, int size);

  abstract void release(ByteBuf buffer);

  /** With an allocator; the buffers are written to, as programs do, or they were not resident. */
  static final class Allocating extends Work {
    private final ByteBufAllocator allocator;

    Allocating(ByteBufAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    ByteBuf allocate(boolean direct, int size) {
      ByteBuf buffer = direct ? allocator.directBuffer(size) : allocator.heapBuffer(size);
      for (int i = 0; i < size; i += OS_PAGE) {
        buffer.setByte(i, 1);
      }
      return buffer;
    }

    @Override
    void resize(ByteBuf buffer, int size) {
      int before = buffer.capacity();
      buffer.capacity(size);
      for (int i = before; i < size; i += OS_PAGE) {
        buffer.setByte(i, 1);
      }
    }

    @Override
    void release(ByteBuf buffer) {
      if (!buffer.release()) {
        throw new IllegalStateException("a buffer has another holder: " + buffer);
      }
    }
  }

  /**
   * The same without an allocator: as many writes, all to one buffer. What it takes is the replay's
   * own part of every other figure. For one thread.
   */
  static class Pretending extends Work {
    private static final int SCRATCH = 1 << 18;

    private final ByteBuf scratch = Unpooled.directBuffer(SCRATCH);

    @Override
    ByteBuf allocate(boolean direct, int size) {
      touch(0, size);
      return scratch;
    }

    @Override
    void resize(ByteBuf buffer, int size) {
      touch(size / 2, size); // how large it was is not known here; most growth doubles
    }

    private void touch(int from, int to) {
      for (int i = from; i < to; i += OS_PAGE) {
        scratch.setByte(i & SCRATCH - 1, 1);
      }
    }

    @Override
    void release(ByteBuf buffer) {}
  }
}
