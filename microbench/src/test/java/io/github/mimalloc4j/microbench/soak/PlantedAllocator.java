package io.github.mimalloc4j.microbench.soak;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** An allocator that does something wrong now and then, and else what another one does. */
abstract class PlantedAllocator extends AbstractByteBufAllocator {
  private static final int EVERY = 200;

  private final ByteBufAllocator sound;
  private final AtomicInteger allocations = new AtomicInteger();

  PlantedAllocator(ByteBufAllocator sound) {
    this.sound = sound;
  }

  /** Does something wrong in the course of an allocation. */
  abstract ByteBuf allocateWrongly(ByteBufAllocator sound, boolean direct, int bytes, int max);

  @Override
  protected final ByteBuf newDirectBuffer(int bytes, int max) {
    return allocate(true, bytes, max);
  }

  @Override
  protected final ByteBuf newHeapBuffer(int bytes, int max) {
    return allocate(false, bytes, max);
  }

  private ByteBuf allocate(boolean direct, int bytes, int max) {
    return allocations.incrementAndGet() % EVERY == 0
        ? allocateWrongly(sound, direct, bytes, max)
        : allocate(sound, direct, bytes, max);
  }

  static ByteBuf allocate(ByteBufAllocator sound, boolean direct, int bytes, int max) {
    return direct ? sound.directBuffer(bytes, max) : sound.heapBuffer(bytes, max);
  }

  @Override
  public final boolean isDirectBufferPooled() {
    return true;
  }

  /** Hands out the bytes of a live buffer once more. */
  static final class Overlapping extends PlantedAllocator {
    private static final int LARGEST = 64;

    /** By their length, the bytes of all buffers that overlap. */
    private final byte[][] shared = new byte[LARGEST + 1][];

    Overlapping(ByteBufAllocator sound) {
      super(sound);
      Arrays.setAll(shared, byte[]::new);
    }

    @Override
    ByteBuf allocateWrongly(ByteBufAllocator sound, boolean direct, int bytes, int max) {
      return direct || bytes > LARGEST
          ? allocate(sound, direct, bytes, max)
          : new UnpooledHeapByteBuf(sound, shared[bytes], max) {};
    }
  }

  /** Writes to a buffer that it handed out before. */
  static final class Corrupting extends PlantedAllocator {
    private final AtomicReference<ByteBuf> victim = new AtomicReference<>();

    Corrupting(ByteBufAllocator sound) {
      super(sound);
    }

    @Override
    ByteBuf allocateWrongly(ByteBufAllocator sound, boolean direct, int bytes, int max) {
      ByteBuf earlier = victim.getAndSet(null);
      if (earlier != null && earlier.refCnt() > 0) {
        try {
          int index = earlier.capacity() / 2;
          earlier.setByte(index, ~earlier.getByte(index));
        } catch (IndexOutOfBoundsException | IllegalReferenceCountException e) {
          // Its holder has shrunk or released it meanwhile.
        }
      }
      ByteBuf buffer = allocate(sound, direct, bytes, max);
      victim.set(buffer);
      return buffer;
    }
  }

  /** Forgets memory. */
  static final class Leaking extends PlantedAllocator {
    Leaking(ByteBufAllocator sound) {
      super(sound);
    }

    @Override
    ByteBuf allocateWrongly(ByteBufAllocator sound, boolean direct, int bytes, int max) {
      allocate(sound, direct, bytes, max);
      return allocate(sound, direct, bytes, max);
    }
  }
}
