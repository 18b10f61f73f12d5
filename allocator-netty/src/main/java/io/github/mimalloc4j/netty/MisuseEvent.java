package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.MisuseListener;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogLevel;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An invalid write found in {@linkplain MiMallocByteBufAllocator.Builder#debug debug mode}: a
 * thread wrote to memory that it did not hold. The write happened earlier, on any thread.
 *
 * @param kind the kind of misuse
 * @param direct whether the buffer is a direct buffer rather than a heap buffer
 * @param address the address of the buffer's block; 0 for a heap buffer, or if not known
 * @param offset the offset of the block in its segment's memory or array
 * @param blockBytes the size of the block in bytes
 * @param capacity the buffer's capacity; for a free block, the capacity of its last buffer, or 0 if
 *     it has had none
 * @param damagedIndex the index in the block of the first byte that was written to
 * @param found the bytes found there, as hexadecimal digits; at most 16 bytes
 * @param thread the name of the thread that found the write
 * @param trace the stack trace of the thread that found the write; its causes are the buffer's last
 *     release and its allocation, each with thread and stack trace, as far as known
 */
public record MisuseEvent(
    Kind kind,
    boolean direct,
    long address,
    int offset,
    int blockBytes,
    int capacity,
    int damagedIndex,
    String found,
    String thread,
    Throwable trace) {

  /** The kind of misuse. */
  public enum Kind {
    /** A free block was written to, between its release and its next use. */
    WRITE_AFTER_RELEASE("was written to after its release"),
    /**
     * A block was written to beyond the end of its buffer, or before the start of the next block.
     */
    OVERRUN("was written to beyond its end");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final int MAX_SHOWN_BYTES = 16;

  /** Returns a listener that logs each finding and passes it on. */
  static MisuseListener logged(Consumer<? super MisuseEvent> listener) {
    return new LoggingListener(listener);
  }

  private static MisuseEvent of(
      boolean afterRelease, MiMallocByteBuf block, int damagedIndex, Throwable trace) {
    byte[] found = new byte[Math.min(MAX_SHOWN_BYTES, block.blockBytes() - damagedIndex)];
    block.memory().buffer().get(block.offset() + damagedIndex, found);
    return new MisuseEvent(
        afterRelease ? Kind.WRITE_AFTER_RELEASE : Kind.OVERRUN,
        block.isDirect(),
        block.knownAddress(),
        block.offset(),
        block.blockBytes(),
        block.capacity(),
        damagedIndex,
        HexFormat.ofDelimiter(" ").formatHex(found),
        Thread.currentThread().getName(),
        trace);
  }

  /** {@return everything except the trace, as a sentence} */
  public String summary() {
    return "A "
        + (direct ? "direct" : "heap")
        + " buffer with a capacity of "
        + capacity
        + " bytes "
        + kind.text
        + ": at index "
        + damagedIndex
        + " of its block of "
        + blockBytes
        + " bytes, which begins at "
        + (address == 0 ? "offset " + offset : "address 0x" + Long.toHexString(address))
        + ", the bytes are "
        + found
        + "; found by thread \""
        + thread
        + '"';
  }

  /**
   * Logs each finding and passes it on. Exceptions that the given listener throws are logged. Those
   * that an appender of the log throws are ignored, as is a lack of Java heap.
   *
   * <p>Appenders and the listener may use the allocator, and so find more. That is reported once
   * the first report is complete: no report is nested in another. What is found during these
   * further reports is logged and not passed on, since a listener whose own writes are invalid
   * would never see an end. The same holds for what is left when the listener throws an error. What
   * appenders come upon even then is not reported.
   */
  private static final class LoggingListener implements MisuseListener {

    private final Consumer<? super MisuseEvent> listener;

    /** What a thread has found while it reports a finding; null while it reports none. */
    @SuppressWarnings("ThreadLocalUsage") // never set for longer than a call
    private final ThreadLocal<@Nullable Queue<MisuseEvent>> foundMeanwhile = new ThreadLocal<>();

    LoggingListener(Consumer<? super MisuseEvent> listener) {
      this.listener = listener;
    }

    @Override
    public void found(
        boolean afterRelease, MiMallocByteBuf block, int damagedIndex, Throwable trace) {
      MisuseEvent event;
      Queue<MisuseEvent> waiting;
      try {
        event = of(afterRelease, block, damagedIndex, trace);
        waiting = foundMeanwhile.get();
        if (waiting != null) {
          waiting.add(event);
          return;
        }
        waiting = new ArrayDeque<>();
        foundMeanwhile.set(waiting);
      } catch (OutOfMemoryError e) {
        return; // as where there is no Java heap for the trace
      }
      reportWithAllFoundMeanwhile(event, waiting);
    }

    private void reportWithAllFoundMeanwhile(MisuseEvent first, Queue<MisuseEvent> waiting) {
      try {
        report(first);
        for (int count = waiting.size(); count > 0; count--) {
          report(waiting.remove());
        }
      } finally {
        try {
          for (int left = waiting.size(); left > 0; left--) {
            log(waiting.remove());
          }
        } finally { // not before: appenders may find still more, without end
          foundMeanwhile.remove();
        }
      }
    }

    private void report(MisuseEvent event) {
      log(event);
      try {
        listener.accept(event);
      } catch (Exception e) { // checked ones too, which other languages throw
        log(InternalLogLevel.WARN, "The misuse listener failed.", e);
      }
    }

    private static void log(MisuseEvent event) {
      String summary;
      try {
        summary = event.summary();
      } catch (OutOfMemoryError e) {
        return; // as in found()
      }
      log(InternalLogLevel.ERROR, summary, event.trace());
    }

    private static void log(InternalLogLevel level, String message, Throwable trace) {
      try {
        AllocatorLogger.logFailure(level, message, trace);
      } catch (OutOfMemoryError e) { // as in found()
      }
    }
  }
}
