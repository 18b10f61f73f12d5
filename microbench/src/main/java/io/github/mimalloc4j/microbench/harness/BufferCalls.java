package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * The calls that are measured.
 *
 * <p>They are compiled apart from the benchmarks. Inlined side by side into one loop, an allocation
 * and its release would be optimised together, which no application gets: there they are far apart.
 * The two calls that remain cost every allocator the same nanosecond or two.
 *
 * <p>The allocator is a field, not a constant: an application finds it in its channel, and a
 * constant would let the compiler fold the allocator's own fields into the code. A fork makes
 * allocators of one class only, so the calls are as monomorphic as in an application that has one
 * allocator; the parameter {@code polluted} changes that.
 */
public final class BufferCalls {
  private final ByteBufAllocator allocator;
  private final boolean direct;

  BufferCalls(ByteBufAllocator allocator, BufferKind kind) {
    this.allocator = allocator;
    this.direct = kind == BufferKind.DIRECT;
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public ByteBuf allocate(int size) {
    return direct ? allocator.directBuffer(size) : allocator.heapBuffer(size);
  }

  /** Allocates a buffer of the other kind. */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public ByteBuf allocateOther(int size) {
    return direct ? allocator.heapBuffer(size) : allocator.directBuffer(size);
  }

  /** Gives a reference back; says whether it was the last one. */
  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  public static boolean release(ByteBuf buffer) {
    return buffer.release();
  }

  /**
   * Gives back the last reference, outside of what is measured.
   *
   * @throws IllegalStateException if somebody else holds one
   */
  public static void releaseLast(ByteBuf buffer) {
    if (!release(buffer)) {
      throw new IllegalStateException("a buffer has another owner: " + buffer);
    }
  }

  /** Fills an array, with sizes in their order, again from the first when there are no more. */
  public void fill(ByteBuf[] buffers, int[] sizes) {
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = allocate(sizes[i % sizes.length]);
    }
  }

  /** Gives back the last reference to each, outside of what is measured. */
  public static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      releaseLast(buffer);
    }
  }

  public static long bytes(ByteBuf[] buffers) {
    return Arrays.stream(buffers).mapToLong(ByteBuf::capacity).sum();
  }
}
