package io.github.mimalloc4j.netty.system;

/** A way to trim the heap of the C library. Called by one thread at a time. */
interface TrimCommand {

  /**
   * Prepares the command, which may take long. Called before the first run, until it succeeds.
   *
   * @throws Exception if the JVM does not support the command
   */
  void prepare() throws Exception;

  /**
   * Gives memory back to the system.
   *
   * @return a message for people
   * @throws Exception if the command failed
   */
  String run() throws Exception;
}
