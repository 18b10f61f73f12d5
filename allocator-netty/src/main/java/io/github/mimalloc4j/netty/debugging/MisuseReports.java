package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reports what debug mode finds. A finding is not thrown: the thread that finds an invalid write is
 * not the one that made it, and the program continues as it would have without debug mode.
 *
 * <p>Thread-safe.
 */
public final class MisuseReports {

  /**
   * The maximum bytes of damaged blocks that an allocator sets aside, for direct and heap memory
   * separately. Limited for the sake of programs in production.
   */
  public static final long MAX_QUARANTINED_BYTES = 32 << 20;

  private final MisuseListener listener;
  private final AtomicLong quarantinedBytes = new AtomicLong();

  MisuseReports(MisuseListener listener) {
    this.listener = listener;
  }

  /**
   * Reports damage, unless there is no Java heap for the report: a release must not fail because of
   * that.
   *
   * @param damaged the index in the block of the first damaged byte
   * @param last the last known use of the buffer
   */
  void report(
      boolean afterRelease, MiMallocByteBuf block, int damaged, @Nullable BufferTrace last) {
    BufferTrace trace;
    try {
      trace = new BufferTrace("found damaged", block.capacity(), last);
    } catch (OutOfMemoryError e) {
      return;
    }
    listener.found(afterRelease, block, damaged, trace);
  }

  /**
   * Returns whether to set a damaged block aside, because its writer may write to it again. If so,
   * counts its bytes.
   */
  boolean quarantine(int bytes) {
    if (quarantinedBytes.addAndGet(bytes) <= MAX_QUARANTINED_BYTES) {
      return true;
    }
    quarantinedBytes.addAndGet(-bytes);
    return false;
  }
}
