package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells what debug mode found. Nothing is thrown, for who finds it is not who did it, and a program
 * goes on as it would have.
 *
 * <p>Thread-safe.
 */
public final class MisuseReports {

  /**
   * Bytes of damaged blocks that an allocator sets aside: not without end, in a program at work.
   */
  public static final long MAX_QUARANTINED_BYTES = 32 << 20;

  private final MisuseListener listener;
  private final AtomicLong quarantinedBytes = new AtomicLong();

  MisuseReports(MisuseListener listener) {
    this.listener = listener;
  }

  /**
   * Reports damage.
   *
   * @param damaged the index of the first damaged byte of the block
   * @param last what was done with the buffer last
   */
  void report(
      boolean afterRelease, MiMallocByteBuf block, int damaged, @Nullable BufferTrace last) {
    listener.found(
        afterRelease, block, damaged, new BufferTrace("found damaged", block.capacity(), last));
  }

  /** Whether a block is to be set aside: whoever wrote to it may do so again. */
  boolean quarantine(int bytes) {
    if (quarantinedBytes.addAndGet(bytes) <= MAX_QUARANTINED_BYTES) {
      return true;
    }
    quarantinedBytes.addAndGet(-bytes);
    return false;
  }
}
