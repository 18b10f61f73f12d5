package io.github.mimalloc4j.microbench.replay;

import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.Queue;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way of buffers from one thread to another one. They arrive in the order in which the one
 * sends them, and are taken in the order in which the other needs them.
 */
final class Handover {
  private static final int CHUNK = 1 << 10;

  private final Queue<ByteBuf> queue = new SpscUnboundedAtomicArrayQueue<>(CHUNK);

  // The receiver's alone: what has arrived before it is needed, by its number in the order of
  // sending, and the number of what arrives next.
  private final IntObjectMap<ByteBuf> early = new IntObjectHashMap<>();
  private int next;

  /** By the sender. */
  void send(ByteBuf buffer) {
    queue.add(buffer);
  }

  /** By the receiver: the buffer that was sent as so many-th from 0; null if it was not yet. */
  @Nullable ByteBuf take(int number) {
    while (next <= number) {
      ByteBuf buffer = queue.poll();
      if (buffer == null || next++ == number) {
        return buffer;
      }
      early.put(next - 1, buffer);
    }
    return early.remove(number);
  }

  /** By the receiver, when the sender has stopped: gives all that is left to the work. */
  int releaseAll(Work work) {
    int released = early.size();
    early.values().forEach(work::release);
    early.clear();
    for (ByteBuf buffer = queue.poll(); buffer != null; buffer = queue.poll()) {
      work.release(buffer);
      released++;
    }
    next = 0;
    return released;
  }
}
