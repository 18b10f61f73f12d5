package io.github.mimalloc4j.microbench.application;

/** A running server of an {@link Application}. */
public interface Server extends AutoCloseable {
  /** Where it listens, on the loopback address. */
  int port();

  /**
   * Closes all connections and waits until the event loops have ended, so that buffers that are
   * live then have leaked.
   */
  @Override
  void close();
}
