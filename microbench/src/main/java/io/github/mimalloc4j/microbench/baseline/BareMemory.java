package io.github.mimalloc4j.microbench.baseline;

import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/**
 * The memory of one kind, direct or on the Java heap, and the way from a thread to its stacks.
 *
 * <p>The garbage collector frees what nobody refers to any more, so no thread has to end properly.
 */
final class BareMemory {
  private static final int MAX_ORPHANS = 1 << 12;

  final BareByteBufAllocator allocator;
  private final IntFunction<ByteBuffer> source;
  private final LongAdder usedBytes = new LongAdder();

  private final MpmcAtomicArrayQueue<BareStacks> orphans = new MpmcAtomicArrayQueue<>(MAX_ORPHANS);

  private final FastThreadLocal<BareStacks> stacks =
      new FastThreadLocal<>() {
        @Override
        protected BareStacks initialValue() {
          BareStacks orphan = orphans.poll();
          BareStacks mine = orphan != null ? orphan : new BareStacks(BareMemory.this);
          mine.owner = Thread.currentThread();
          return mine;
        }

        @Override
        protected void onRemoval(BareStacks mine) {
          mine.owner = null; // before another thread can see it in the queue
          orphans.offer(mine); // the collector has it if there are too many
        }
      };

  BareMemory(BareByteBufAllocator allocator, IntFunction<ByteBuffer> source) {
    this.allocator = allocator;
    this.source = source;
  }

  BareByteBuf take(int bytes) {
    return stacks.get().take(bytes);
  }

  ByteBuffer obtain(int bytes) {
    ByteBuffer memory = source.apply(bytes);
    usedBytes.add(bytes);
    return memory;
  }

  void drop(int bytes) {
    usedBytes.add(-bytes);
  }

  long usedBytes() {
    return usedBytes.sum();
  }
}
