package io.github.mimalloc4j.netty.threads;

import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.logging.InternalLogLevel;

/** Reports failed allocations: in the error that is thrown, and to a listener. */
public final class OutOfMemoryReports {

  private final ThreadHeaps heaps;
  private final OutOfMemoryListener listener;

  OutOfMemoryReports(ThreadHeaps heaps, OutOfMemoryListener listener) {
    this.heaps = heaps;
    this.listener = listener;
  }

  /**
   * Reports a failed allocation, as far as there is Java heap for it.
   *
   * @return the error to throw: Netty's own error with the figures as a suppressed exception, since
   *     programs know its type and it cannot be created here; in place of any other error, a new
   *     one with the figures in its message and the original as its cause
   */
  OutOfMemoryError report(int requestedBytes, OutOfMemoryError error) {
    OutOfMemoryError described = error;
    try {
      long used = heaps.usedBytes();
      long live = Math.min(used, heaps.liveBytesAtFailure());
      described = describe(error, summary(heaps.isDirect(), requestedBytes, used, live));
      tell(requestedBytes, used, live, error);
    } catch (OutOfMemoryError | LinkageError | InternalError e) {
      // There is no Java heap even for the report. While it links a class, the JVM may throw one of
      // the other errors.
    }
    return described;
  }

  private void tell(int requestedBytes, long used, long live, OutOfMemoryError error) {
    try {
      listener.failed(heaps.isDirect(), requestedBytes, used, live, error);
    } catch (Exception | LinkageError e) { // checked ones too, which other languages throw
      AllocatorLogger.logFailure(
          InternalLogLevel.WARN,
          "The out-of-memory listener failed; the allocation fails as it would have.",
          e);
    }
  }

  private static OutOfMemoryError describe(OutOfMemoryError original, String summary) {
    if (original instanceof OutOfDirectMemoryError) {
      original.addSuppressed(new Figures(summary));
      return original;
    }
    OutOfMemoryError described = new OutOfMemoryError(original.getMessage() + " (" + summary + ')');
    described.initCause(original);
    return described;
  }

  /** {@return the figures of a failed allocation as a sentence} */
  public static String summary(boolean direct, int requestedBytes, long usedBytes, long liveBytes) {
    return "asked for "
        + requestedBytes
        + " bytes of "
        + (direct ? "direct" : "heap")
        + " memory; the allocator uses "
        + usedBytes
        + ", of which "
        + liveBytes
        + " are live and "
        + Math.max(0, usedBytes - liveBytes)
        + " retained";
  }

  /** The figures that an error's message lacks. */
  private static final class Figures extends Exception {

    private static final long serialVersionUID = 1;

    Figures(String summary) {
      super(summary, null, false, false);
    }
  }
}
