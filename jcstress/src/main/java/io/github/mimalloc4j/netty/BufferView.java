package io.github.mimalloc4j.netty;

/** What the races see of a buffer, so that one with a broken count can take its place. */
public interface BufferView {

  /** Makes the calling thread the owner of the buffer's page. */
  void own();

  /** Waits for the other thread to be the owner, which takes longer than the race itself. */
  void awaitOwner();

  void retain();

  boolean release();

  /** Moves the buffer to a larger block. */
  void grow();

  /** Whether the owner could take the block for a new buffer, which has one reference then. */
  boolean reuse();

  /** At rest, how often the buffer's block is there to be handed out. Ends the test. */
  int timesFree();

  /** At rest, whether the old and the new block of a buffer that grew are free. */
  boolean isAllFree();
}
