package io.github.mimalloc4j.microbench.application;

/** A server in ordinary code of Netty's or a framework's public API. */
@FunctionalInterface
public interface Application {
  /**
   * Starts the server on a free port of the loopback address.
   *
   * @throws Exception if it cannot be started; then nothing of it is left
   */
  Server start(Environment environment) throws Exception;
}
