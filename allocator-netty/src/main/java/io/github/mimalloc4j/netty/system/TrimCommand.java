package io.github.mimalloc4j.netty.system;

/** The way to have the C library give back what it keeps. One thread at a time. */
interface TrimCommand {

  /**
   * Gets ready. What takes long the first time is done here, and again at each call costs nothing.
   *
   * @throws Exception if there is no such way in this JVM
   */
  void prepare() throws Exception;

  /**
   * Gives the memory back.
   *
   * @return what there is to say, for people
   * @throws Exception if that failed
   */
  String run() throws Exception;
}
