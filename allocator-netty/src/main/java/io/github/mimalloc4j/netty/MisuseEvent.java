package io.github.mimalloc4j.netty;

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
