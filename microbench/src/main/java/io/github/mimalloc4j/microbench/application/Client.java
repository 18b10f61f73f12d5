package io.github.mimalloc4j.microbench.application;

import io.netty.util.concurrent.EventExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the load. It checks every answer. All of its methods are called on {@link
 * #executor()}'s thread, but that one, which any thread calls.
 *
 * <p>A connection that is lost completes all requests under way with an error, and so each that is
 * sent later.
 */
public interface Client {
  /** The event loop of the connection. */
  EventExecutor executor();

  /**
   * Writes one more request; several may be under way. It need not leave before {@link #flush}.
   *
   * @param completion is called once, on the executor, when the answer is complete or there will be
   *     none; it may send the next request
   */
  void send(Completion completion);

  /** Sends what was written. */
  void flush();

  /** Returns why there are no answers any more; null if there can be. */
  @Nullable String lost();

  /** Closes the connection; requests under way are completed with an error. */
  void close();
}
