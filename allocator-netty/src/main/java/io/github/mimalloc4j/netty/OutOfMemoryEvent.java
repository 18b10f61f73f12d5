package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.figures.OutOfMemoryDump;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.OutOfMemoryReports;
import java.util.function.Consumer;

/**
 * An allocation that failed because there was no memory, after a trim of all memory within reach
 * and a second attempt, unless the buffer is larger than the limit that applies. (Where many
 * allocations fail, some rely on the trim of another one, less than a second ago.) The figures are
 * those right after the failure; they are estimates while other threads allocate and release.
 *
 * @param direct whether direct memory was requested rather than memory on the Java heap
 * @param requestedBytes the bytes requested
 * @param usedBytes the bytes of that kind of memory that the allocator held
 * @param liveBytes of these, the bytes in use by buffers, each counted with its whole block; if
 *     many allocations fail, perhaps as of a failure less than a second before
 * @param error the original error: by Netty, by the JDK or for the allocator's own limit. Unless it
 *     is Netty's, the error that the caller gets has it as its cause
 */
public record OutOfMemoryEvent(
    boolean direct, int requestedBytes, long usedBytes, long liveBytes, OutOfMemoryError error) {

  /**
   * Returns a listener that logs the figures and then passes the event on. Ignores failures of
   * allocations that the given listener itself makes: it would be called again and again.
   */
  static OutOfMemoryListener toldTo(
      Consumer<? super OutOfMemoryEvent> listener, OutOfMemoryDump dump) {
    ThreadLocal<Boolean> telling = new ThreadLocal<>();
    return (direct, requestedBytes, usedBytes, liveBytes, error) -> {
      if (telling.get() != null) {
        return;
      }
      OutOfMemoryEvent event =
          new OutOfMemoryEvent(direct, requestedBytes, usedBytes, liveBytes, error);
      telling.set(true);
      try {
        dump.log(event.summary());
        listener.accept(event);
      } finally {
        telling.remove();
      }
    };
  }

  /** {@return the bytes held that no buffer was using} */
  public long retainedBytes() {
    return Math.max(0, usedBytes - liveBytes);
  }

  /** {@return the figures as a sentence} */
  public String summary() {
    return OutOfMemoryReports.summary(direct, requestedBytes, usedBytes, liveBytes);
  }
}
