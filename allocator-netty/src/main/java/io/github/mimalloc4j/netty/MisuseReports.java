package io.github.mimalloc4j.netty;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells what debug mode found: in the log, and to a listener. Nothing is thrown, for who finds it
 * is not who did it, and a program goes on as it would have.
 *
 * <p>Thread-safe.
 */
final class MisuseReports {

  /**
   * Bytes of damaged blocks that an allocator sets aside: not without end, in a program at work.
   */
  static final long MAX_QUARANTINED_BYTES = 32 << 20;

  private static final int MAX_SHOWN_BYTES = 16;

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);

  private final Consumer<? super MisuseEvent> listener;
  private final AtomicLong quarantinedBytes = new AtomicLong();

  MisuseReports(Consumer<? super MisuseEvent> listener) {
    this.listener = listener;
  }

  /**
   * Reports damage.
   *
   * @param damaged the index of the first damaged byte of the block
   * @param last what was done with the buffer last
   */
  void report(
      MisuseEvent.Kind kind, MiMallocByteBuf block, int damaged, @Nullable BufferTrace last) {
    byte[] found = new byte[Math.min(MAX_SHOWN_BYTES, block.blockSize() - damaged)];
    block.memory().buffer().get(block.offset() + damaged, found);
    MisuseEvent event =
        new MisuseEvent(
            kind,
            block.isDirect(),
            block.knownAddress(),
            block.offset(),
            block.blockSize(),
            block.capacity(),
            damaged,
            HexFormat.ofDelimiter(" ").formatHex(found),
            Thread.currentThread().getName(),
            new BufferTrace("found damaged", block.capacity(), last));
    logger.error(event.summary(), event.trace());
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      logger.warn("The misuse listener failed.", e);
    }
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
