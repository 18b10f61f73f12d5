package io.github.mimalloc4j.netty;

import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.function.Consumer;

/** Tells what an allocation failed with: in the error that is thrown, and to a listener. */
final class OutOfMemory {

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(MiMallocByteBufAllocator.class);

  private final ThreadHeaps heaps;
  private final Consumer<? super OutOfMemoryEvent> listener;

  OutOfMemory(ThreadHeaps heaps, Consumer<? super OutOfMemoryEvent> listener) {
    this.heaps = heaps;
    this.listener = listener;
  }

  /**
   * Reports a failed allocation, as far as there is Java heap for it.
   *
   * @return what is to be thrown: Netty's own error, with the figures as a suppressed exception
   *     since programs know its type and it cannot be made here; in place of any other, one with
   *     the figures in its message and the original as its cause
   */
  OutOfMemoryError report(int requestedBytes, OutOfMemoryError error) {
    OutOfMemoryError described = error;
    try {
      OutOfMemoryEvent event =
          new OutOfMemoryEvent(
              heaps.isDirect(), requestedBytes, heaps.usedBytes(), heaps.pinnedBytes(), error);
      described = describe(event);
      tell(event);
    } catch (OutOfMemoryError | LinkageError | InternalError e) {
      // Not even for that. Where a class is linked, the JVM may hide it behind one of the others.
    }
    return described;
  }

  private void tell(OutOfMemoryEvent event) {
    try {
      listener.accept(event);
    } catch (RuntimeException | LinkageError e) {
      logger.warn("The out-of-memory listener failed; the allocation fails as it would have.", e);
    }
  }

  private static OutOfMemoryError describe(OutOfMemoryEvent event) {
    OutOfMemoryError original = event.error();
    if (original instanceof OutOfDirectMemoryError) {
      original.addSuppressed(new Figures(event.summary()));
      return original;
    }
    OutOfMemoryError described =
        new OutOfMemoryError(original.getMessage() + " (" + event.summary() + ')');
    described.initCause(original);
    return described;
  }

  /** What an error's message leaves out. */
  private static final class Figures extends Exception {

    private static final long serialVersionUID = 1;

    Figures(String summary) {
      super(summary, null, false, false);
    }
  }
}
