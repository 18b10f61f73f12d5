package io.github.mimalloc4j.netty.debugging;

import org.jspecify.annotations.Nullable;

/**
 * What a thread did with a buffer, and where: the stack. Its cause is what was done before. Never
 * thrown; it is printed as the cause of what is.
 */
final class BufferTrace extends Throwable {

  private static final long serialVersionUID = 1;

  private final String done;
  private final int capacity;

  /** The name alone: the thread may end. */
  private final String thread = Thread.currentThread().getName();

  BufferTrace(String done, int capacity, @Nullable BufferTrace before) {
    super(null, before, false, true);
    this.done = done;
    this.capacity = capacity;
  }

  @Override
  public String getMessage() {
    return done + " with a capacity of " + capacity + " bytes by thread \"" + thread + '"';
  }

  @Override
  public String toString() {
    return "The buffer was " + getMessage();
  }
}
