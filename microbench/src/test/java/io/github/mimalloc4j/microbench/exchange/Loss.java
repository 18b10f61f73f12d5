package io.github.mimalloc4j.microbench.exchange;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where a buffer gets lost, in an exchange that is to lose one. */
final class Loss {

  static final String HINT = "lost on purpose";

  private final boolean losing;
  private final AtomicBoolean due;

  Loss(boolean losing) {
    this.losing = losing;
    due = new AtomicBoolean(losing);
  }

  /** Releases a buffer, unless it is the one to lose. */
  void release(ByteBuf buffer) {
    if (buffer.capacity() > 0 && due.compareAndSet(true, false)) {
      buffer.touch(HINT);
    } else {
      buffer.release();
    }
  }

  /** Whether a buffer was lost. */
  boolean isDone() {
    return losing && !due.get();
  }
}
