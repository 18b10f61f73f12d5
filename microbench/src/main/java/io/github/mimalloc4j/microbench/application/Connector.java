package io.github.mimalloc4j.microbench.application;

import io.netty.channel.EventLoop;

/** Makes clients of one kind. */
@FunctionalInterface
public interface Connector {
  /**
   * Connects to a server on the loopback address. It blocks until requests can be sent, handshakes
   * included; it is not called on the loop.
   *
   * @param loop of NIO; it serves the connection alone or with others
   * @throws Exception if there is no connection; the message says why
   */
  Client connect(EventLoop loop, int port) throws Exception;
}
