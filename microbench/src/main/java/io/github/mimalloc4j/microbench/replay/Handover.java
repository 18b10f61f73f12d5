package io.github.mimalloc4j.microbench.replay;

import io.netty.buffer.ByteBuf;
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

  // The receiver's alone: what has arrived, by its number in the order of sending.
  private @Nullable ByteBuf[] arrived = new ByteBuf[1 << 6];
  private int oldest;
  private int next;

  /** By the sender. */
  void send(ByteBuf buffer) {
    queue.add(buffer);
  }

  /** By the receiver: the buffer that was sent as so many-th from 0; null if it was not yet. */
  @Nullable ByteBuf take(int number) {
    while (next <= number) {
      ByteBuf buffer = queue.poll();
      if (buffer == null) {
        return null;
      }
      if (next - oldest == arrived.length) {
        grow();
      }
      arrived[next++ & arrived.length - 1] = buffer;
    }
    int index = number & arrived.length - 1;
    ByteBuf taken = arrived[index];
    arrived[index] = null;
    while (oldest < next && arrived[oldest & arrived.length - 1] == null) {
      oldest++;
    }
    return taken;
  }

  private void grow() {
    @Nullable ByteBuf[] larger = new ByteBuf[2 * arrived.length];
    for (int i = oldest; i < next; i++) {
      larger[i & larger.length - 1] = arrived[i & arrived.length - 1];
    }
    arrived = larger;
  }

  /** By the receiver, when the sender has stopped: gives all that is left to the work. */
  int releaseAll(Work work) {
    int released = 0;
    for (int i = oldest; i < next; i++) {
      ByteBuf buffer = arrived[i & arrived.length - 1];
      if (buffer != null) {
        arrived[i & arrived.length - 1] = null;
        work.release(buffer);
        released++;
      }
    }
    for (ByteBuf buffer = queue.poll(); buffer != null; buffer = queue.poll()) {
      work.release(buffer);
      released++;
    }
    oldest = 0;
    next = 0;
    return released;
  }
}
