package io.github.mimalloc4j.netty.buffers;

import io.netty.util.IllegalReferenceCountException;

/**
 * Hooks for guarded buffers. Guarded buffers have their own classes, loaded only if an allocator
 * was built with a debugging option. Otherwise the JVM knows that no buffer has a guard, and
 * compiled code contains none of this.
 *
 * <p>Every release of a guarded buffer is a compare-and-set, including the owner's. This class does
 * nothing else; subclasses do more.
 *
 * <p>Unless stated otherwise, methods are called by a thread with exclusive access to the buffer's
 * bytes.
 */
public class Guard {

  /** Checks releases and does nothing else. */
  public static final Guard CHECKED_RELEASE = new Guard();

  public Guard() {}

  /** Returns how many bytes a block reserves beyond the capacity of its buffer. */
  public int spareBytes() {
    return 0;
  }

  /**
   * Called when the block was taken from its heap and is not a buffer yet.
   *
   * @param capacity the capacity of the buffer that it will be
   * @return whether the block may be used; if not, it is never used again
   */
  public boolean take(MiMallocByteBuf block, int capacity) {
    return true;
  }

  /** Called before {@link #resize}. May call anything. */
  public void checkEnd(MiMallocByteBuf buffer) {}

  /** Called before the capacity changes to another one that fits the block. */
  public void resize(MiMallocByteBuf buffer, int newCapacity) {}

  /**
   * Called when a buffer has grown into another block. Its old block, which this guard watches, is
   * about to be released.
   *
   * @param grown the guard of the buffer that grew
   */
  public void inherit(Guard grown) {}

  /**
   * Called when the block goes back to its heap without having been a buffer (its bytes may have
   * been written to all the same, by a copy that failed halfway), or when {@link #release} threw
   * something. If this throws something, too, the block is never used again.
   */
  public void putBack(MiMallocByteBuf block) {}

  /** Called when the last reference was released and nobody else knows the block yet. */
  public void release(MiMallocByteBuf buffer) {}

  /** Adds to an exception what is known about a buffer that was found free. Any thread. */
  public IllegalReferenceCountException explain(IllegalReferenceCountException exception) {
    return exception;
  }

  /**
   * Called when the reference count of a free buffer was read. Any thread.
   *
   * @throws IllegalReferenceCountException in place of Netty's, when Netty is about to throw it
   */
  public void readFree() {}
}
