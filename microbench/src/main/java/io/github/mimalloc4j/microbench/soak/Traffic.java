package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.SplittableRandom;
import org.jctools.queues.MpmcArrayQueue;

/**
 * What all workers share.
 *
 * @param allocator where buffers come from
 * @param kinds where buffers lie
 * @param liveBytes about how many bytes are live at most
 * @param handedOver what threads have handed over and no other has taken yet
 * @param tally what was done
 */
record Traffic(
    ByteBufAllocator allocator,
    List<BufferKind> kinds,
    long liveBytes,
    MpmcArrayQueue<Holding> handedOver,
    Tally tally) {

  private static final int MOST_HANDED_OVER = 512;
  private static final int ONE_ON_HEAP_IN = 4;

  Traffic(ByteBufAllocator allocator, List<BufferKind> kinds, long liveBytes) {
    this(allocator, kinds, liveBytes, new MpmcArrayQueue<>(MOST_HANDED_OVER), new Tally());
  }

  ByteBuf allocate(SplittableRandom random, int bytes) {
    BufferKind kind =
        kinds.size() == 1
            ? kinds.get(0)
            : random.nextInt(ONE_ON_HEAP_IN) == 0 ? BufferKind.HEAP : BufferKind.DIRECT;
    return kind == BufferKind.DIRECT ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
  }

  /** Whether so much more would be too much. */
  boolean isFull(long moreBytes) {
    return tally.keptBytes() + moreBytes > liveBytes;
  }
}
