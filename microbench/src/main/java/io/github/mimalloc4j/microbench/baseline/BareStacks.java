package io.github.mimalloc4j.microbench.baseline;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * One thread's stacks of free buffers, one for each power of two, and the queue through which other
 * threads give its buffers back.
 *
 * <p>The last buffer released is the next one handed out, whose lines are still in the cache.
 */
final class BareStacks {
  /** The largest buffer that is kept, in bytes. */
  static final int LARGEST = 1 << 24;

  /** Small buffers are made some at a time and lie side by side, as those of allocators do. */
  private static final int RUN_BYTES = 64 << 10;

  private static final int FIRST_DEPTH = 16;
  private static final int RETURNED_AT_A_TIME = 256;

  /** The free buffers of one size. Owner only. */
  static final class Stack {
    final int bytes;
    private BareByteBuf[] buffers = new BareByteBuf[FIRST_DEPTH];
    private int depth;

    private Stack(int bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * The thread that takes and pushes; null while it belongs to none. Plain: a thread only compares
   * it with itself, and it was itself that wrote that value.
   */
  @Nullable Thread owner;

  final BareMemory memory;
  private final Stack[] stacks = new Stack[powerAbove(LARGEST) + 1];

  /** Free buffers that other threads gave back; any thread adds, the owner takes. */
  private final MpscUnboundedAtomicArrayQueue<BareByteBuf> returned =
      new MpscUnboundedAtomicArrayQueue<>(RETURNED_AT_A_TIME);

  BareStacks(BareMemory memory) {
    this.memory = memory;
    for (int power = 0; power < stacks.length; power++) {
      stacks[power] = new Stack(1 << power);
    }
  }

  /** Takes a buffer of at least so many bytes. Owner only. */
  BareByteBuf take(int bytes) {
    int power = powerAbove(bytes);
    if (power >= stacks.length) {
      return new BareByteBuf(this, null, memory.obtain(bytes));
    }
    Stack stack = stacks[power];
    if (stack.depth == 0) {
      refill(stack);
    }
    return stack.buffers[--stack.depth];
  }

  /** Puts a free buffer on its stack. Owner only. */
  void push(Stack stack, BareByteBuf buffer) {
    if (stack.depth == stack.buffers.length) {
      stack.buffers = Arrays.copyOf(stack.buffers, 2 * stack.depth);
    }
    stack.buffers[stack.depth++] = buffer;
  }

  /** Gives a free buffer back. Any thread. */
  void giveBack(BareByteBuf buffer) {
    returned.add(buffer);
  }

  private void refill(Stack stack) {
    returned.drain(buffer -> push(buffer.stack(), buffer));
    if (stack.depth == 0) {
      make(stack);
    }
  }

  private void make(Stack stack) {
    int count = Math.max(1, RUN_BYTES / stack.bytes);
    ByteBuffer run = memory.obtain(count * stack.bytes);
    for (int i = 0; i < count; i++) {
      push(stack, new BareByteBuf(this, stack, run.slice(i * stack.bytes, stack.bytes)));
    }
  }

  /** The exponent of the least power of two that is at least this. */
  private static int powerAbove(int bytes) {
    return bytes <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
  }
}
