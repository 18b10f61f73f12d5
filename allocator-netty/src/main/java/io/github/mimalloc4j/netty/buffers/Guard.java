package io.github.mimalloc4j.netty.buffers;

import io.netty.util.IllegalReferenceCountException;

/**
 * What is done with a guarded buffer besides. Guarded buffers have classes of their own, which are
 * loaded only where an allocator was built with an option for debugging: elsewhere a buffer has no
 * guard, the JVM knows it, and nothing of this is left in compiled code.
 *
 * <p>Every release of a guarded buffer is a compare-and-set, the owner's too. What is more, the
 * kinds of guards do: this one nothing.
 *
 * <p>Methods are called by whoever has the buffer's bytes to himself, if they do not say otherwise.
 */
public class Guard {

  /** Checks releases and does nothing else. */
  public static final Guard CHECKED_RELEASE = new Guard();

  public Guard() {}

  /** The bytes that a block is to have behind the capacity of its buffer. */
  public int spareBytes() {
    return 0;
  }

  /** The block was made; nothing is known of its bytes. */
  public void made(MiMallocByteBuf block) {}

  /**
   * The block was taken from its heap, and is no buffer yet.
   *
   * @param capacity of the buffer that it is to be
   * @return whether it may be used; if not, nobody ever does
   */
  public boolean take(MiMallocByteBuf block, int capacity) {
    return true;
  }

  /** The capacity is about to change to another one that the block has room for. */
  protected void resize(MiMallocByteBuf buffer, int newCapacity) {}

  /** The block of a buffer that grew is about to be released, with this guard's buffer. */
  protected void inherit(Guard grown) {}

  /** The last reference was given back, and nobody else knows the block yet. */
  protected void release(MiMallocByteBuf buffer) {}

  /** Adds what is known of a buffer that was found free. Any thread. */
  protected IllegalReferenceCountException explain(IllegalReferenceCountException exception) {
    return exception;
  }

  /**
   * The reference count of a free buffer was read. Any thread.
   *
   * @throws IllegalReferenceCountException in place of Netty's, where Netty is about to throw it
   */
  protected void readFree() {}
}
