package io.github.mimalloc4j.netty;

import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.function.Consumer;

/** Tells what an allocation failed with: in the error that is thrown, and to a listener. */
final class OutOfMemory {

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);

  private OutOfMemory() {}

  /**
   * Reports a failed allocation.
   *
   * @return what is to be thrown: Netty's own error, with the figures as a suppressed exception
   *     since programs know its type and it cannot be made here; in place of any other, one with
   *     the figures in its message and the original as its cause
   */
  static OutOfMemoryError report(
      OutOfMemoryEvent event, Consumer<? super OutOfMemoryEvent> listener) {
    OutOfMemoryError error = describe(event);
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      logger.warn("The out-of-memory listener failed; the allocation fails as it would have.", e);
    }
    return error;
  }

  private static OutOfMemoryError describe(OutOfMemoryEvent event) {
    OutOfMemoryError original = event.error();
    try {
      if (original instanceof OutOfDirectMemoryError) {
        original.addSuppressed(new Figures(event.summary()));
        return original;
      }
      OutOfMemoryError described =
          new OutOfMemoryError(original.getMessage() + " (" + event.summary() + ')');
      described.initCause(original);
      return described;
    } catch (OutOfMemoryError e) {
      return original; // there is no Java heap even for that
    }
  }

  /** What an error's message leaves out. */
  private static final class Figures extends Exception {

    private static final long serialVersionUID = 1;

    Figures(String summary) {
      super(summary, null, false, false);
    }
  }
}
