package io.github.mimalloc4j.netty.debugging;

import org.jspecify.annotations.Nullable;

/**
 * The stack trace of an operation on a buffer. Its cause is the trace of the operation before. It
 * is never thrown, but attached to other exceptions as their cause.
 */
final class BufferTrace extends Throwable {

  private static final long serialVersionUID = 1;

  private final String done;
  private final int capacity;

  /** The name rather than the thread, so that the thread is not kept reachable. */
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
