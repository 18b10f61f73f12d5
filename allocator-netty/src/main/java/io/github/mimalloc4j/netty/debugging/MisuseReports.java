package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reports what debug mode finds. Nothing is thrown: the thread that finds an invalid write is not
 * the one that made it, and the program continues as it would have without debug mode.
 *
 * <p>Thread-safe.
 */
public final class MisuseReports {

  /**
   * Limits the damaged blocks that an allocator sets aside, in bytes, for programs in production.
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
   * @param damaged the index in the block of the first damaged byte
   * @param last the last known use of the buffer
   */
  void report(
      boolean afterRelease, MiMallocByteBuf block, int damaged, @Nullable BufferTrace last) {
    listener.found(
        afterRelease, block, damaged, new BufferTrace("found damaged", block.capacity(), last));
  }

  /**
   * Whether to set a damaged block aside, because whoever wrote to it may do so again. Counts its
   * bytes if so.
   */
  boolean quarantine(int bytes) {
    if (quarantinedBytes.addAndGet(bytes) <= MAX_QUARANTINED_BYTES) {
      return true;
    }
    quarantinedBytes.addAndGet(-bytes);
    return false;
  }
}
