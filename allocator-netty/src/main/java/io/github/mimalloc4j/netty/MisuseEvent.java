package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.MisuseListener;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.logging.InternalLogger;
import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * A write to memory that the writer did not have, found in {@linkplain
 * MiMallocByteBufAllocator.Builder#debug debug mode}. It has happened some time before, on any
 * thread.
 *
 * @param kind what was done wrong
 * @param direct whether the buffer is a direct one, else it is on the Java heap
 * @param address where its block begins in memory; 0 if that is not known, and of a heap buffer
 * @param offset where its block begins in the memory or the array that it has a part of
 * @param blockBytes the bytes of the block
 * @param capacity the buffer's capacity; if the block was free, that of the buffer it was before
 * @param damagedIndex the first byte of the block that was written to
 * @param found the bytes that are there, in hexadecimal digits; 16 at most
 * @param thread the name of the thread that found it
 * @param trace the stack of the thread that found it; its causes are the last release of the buffer
 *     and the allocation before, each with thread and stack, as far as they are known
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

  /** What may have been done wrong. */
  public enum Kind {
    /** A block was written to between its release and its next use. */
    WRITE_AFTER_RELEASE("was written to after its release"),
    /** A block was written to behind the end of its buffer, or before the start of the next one. */
    OVERRUN("was written to behind its end");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final InternalLogger logger = AllocatorLogger.get();

  private static final int MAX_SHOWN_BYTES = 16;

  /** Logs what is found, and tells a listener, whose exceptions are logged, too. */
  static MisuseListener logged(Consumer<? super MisuseEvent> listener) {
    return (afterRelease, block, damagedIndex, trace) -> {
      MisuseEvent event = of(afterRelease, block, damagedIndex, trace);
      logger.error(event.summary(), trace);
      try {
        listener.accept(event);
      } catch (RuntimeException e) {
        logger.warn("The misuse listener failed.", e);
      }
    };
  }

  private static MisuseEvent of(
      boolean afterRelease, MiMallocByteBuf block, int damagedIndex, Throwable trace) {
    byte[] found = new byte[Math.min(MAX_SHOWN_BYTES, block.blockSize() - damagedIndex)];
    block.memory().buffer().get(block.offset() + damagedIndex, found);
    return new MisuseEvent(
        afterRelease ? Kind.WRITE_AFTER_RELEASE : Kind.OVERRUN,
        block.isDirect(),
        block.knownAddress(),
        block.offset(),
        block.blockSize(),
        block.capacity(),
        damagedIndex,
        HexFormat.ofDelimiter(" ").formatHex(found),
        Thread.currentThread().getName(),
        trace);
  }

  /** {@return all but the trace in a sentence} */
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
        + ", stands "
        + found
        + "; found by thread \""
        + thread
        + '"';
  }
}
