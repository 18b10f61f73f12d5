package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.SplittableRandom;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/**
 * What all workers share.
 *
 * @param allocator where buffers come from
 * @param options how long and how much
 * @param handedOver what threads have handed over and no other has taken yet
 * @param tally what was done
 */
record Traffic(
    ByteBufAllocator allocator,
    SoakOptions options,
    MpmcAtomicArrayQueue<Holding> handedOver,
    Tally tally) {

  private static final int MOST_HANDED_OVER = 512;
  private static final int ONE_ON_HEAP_IN = 4;

  Traffic(ByteBufAllocator allocator, SoakOptions options) {
    this(allocator, options, new MpmcAtomicArrayQueue<>(MOST_HANDED_OVER), new Tally());
  }

  ByteBuf allocate(SplittableRandom random, int bytes) {
    List<BufferKind> kinds = options.kinds();
    BufferKind kind =
        kinds.size() == 1
            ? kinds.get(0)
            : random.nextInt(ONE_ON_HEAP_IN) == 0 ? BufferKind.HEAP : BufferKind.DIRECT;
    return kind == BufferKind.DIRECT ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  /** Whether so much more would be too much. */
  boolean isFull(long moreBytes) {
    return tally.keptBytes() + moreBytes > options.liveBytes();
  }
}
