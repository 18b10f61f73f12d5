package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.threads.OutOfMemory;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import java.util.function.Consumer;

/**
 * An allocation that failed for want of memory, after everything within reach had been trimmed and
 * it had been tried once more. The figures are those right after it, estimates while other threads
 * allocate and release.
 *
 * @param direct whether direct memory was asked for, else memory on the Java heap
 * @param requestedBytes what was asked for
 * @param usedBytes what the allocator held of that kind
 * @param liveBytes what of it was in use by buffers, each counted with its whole block
 * @param error what was thrown: Netty's, the JDK's or the allocator's own limit
 */
public record OutOfMemoryEvent(
    boolean direct, int requestedBytes, long usedBytes, long liveBytes, OutOfMemoryError error) {

  /** Makes events for a listener. */
  static OutOfMemoryListener toldTo(Consumer<? super OutOfMemoryEvent> listener) {
    return (direct, requestedBytes, usedBytes, liveBytes, error) ->
        listener.accept(new OutOfMemoryEvent(direct, requestedBytes, usedBytes, liveBytes, error));
  }

  /** {@return the bytes held that no buffer was using} */
  public long retainedBytes() {
    return Math.max(0, usedBytes - liveBytes);
  }

  /** {@return the figures in a sentence} */
  public String summary() {
    return OutOfMemory.summary(direct, requestedBytes, usedBytes, liveBytes);
  }
}
