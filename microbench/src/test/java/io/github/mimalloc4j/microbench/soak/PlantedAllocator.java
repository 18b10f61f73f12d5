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
final class PlantedAllocator extends AbstractByteBufAllocator {
  private static final int EVERY = 200;
  private static final int LARGEST_SHARED = 64;

  private final ByteBufAllocator sound;
  private final Bug bug;
  private final AtomicInteger allocations = new AtomicInteger();

  /** Does something wrong in the course of an allocation. */
  @FunctionalInterface
  interface Bug {
    ByteBuf allocate(ByteBufAllocator sound, boolean direct, int bytes, int max);
  }

  PlantedAllocator(ByteBufAllocator sound, Bug bug) {
    this.sound = sound;
    this.bug = bug;
  }

  @Override
  protected ByteBuf newDirectBuffer(int bytes, int max) {
    return allocate(true, bytes, max);
  }

  @Override
  protected ByteBuf newHeapBuffer(int bytes, int max) {
    return allocate(false, bytes, max);
  }

  private ByteBuf allocate(boolean direct, int bytes, int max) {
    return allocations.incrementAndGet() % EVERY == 0
        ? bug.allocate(sound, direct, bytes, max)
        : allocate(sound, direct, bytes, max);
  }

  static ByteBuf allocate(ByteBufAllocator sound, boolean direct, int bytes, int max) {
    return direct ? sound.directBuffer(bytes, max) : sound.heapBuffer(bytes, max);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /** Hands out the bytes of a live buffer once more. */
  static PlantedAllocator overlapping(ByteBufAllocator sound) {
    byte[][] byLength = new byte[LARGEST_SHARED + 1][];
    Arrays.setAll(byLength, byte[]::new);
    return new PlantedAllocator(
        sound,
        (any, direct, bytes, max) ->
            direct || bytes > LARGEST_SHARED
                ? allocate(sound, direct, bytes, max)
                : new UnpooledHeapByteBuf(sound, byLength[bytes], max) {});
  }

  /** Writes to a buffer that it handed out before. */
  static PlantedAllocator corrupting(ByteBufAllocator sound) {
    AtomicReference<ByteBuf> victim = new AtomicReference<>();
    return new PlantedAllocator(
        sound,
        (any, direct, bytes, max) -> {
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
        });
  }

  /** Forgets memory when an allocation fails. */
  static PlantedAllocator losingWhenItFails(ByteBufAllocator sound) {
    return new PlantedAllocator(
        sound,
        (any, direct, bytes, max) -> {
          try {
            return allocate(sound, direct, bytes, max);
          } catch (RuntimeException | Error e) {
            loseOne(sound, direct);
            throw e;
          }
        });
  }

  private static void loseOne(ByteBufAllocator sound, boolean direct) {
    try {
      allocate(sound, direct, LARGEST_SHARED, LARGEST_SHARED);
    } catch (RuntimeException | Error e) {
      // The next time, then.
    }
  }

  /** Forgets memory. */
  static PlantedAllocator leaking(ByteBufAllocator sound) {
    return new PlantedAllocator(
        sound,
        (any, direct, bytes, max) -> {
          allocate(sound, direct, bytes, max);
          return allocate(sound, direct, bytes, max);
        });
  }
}
