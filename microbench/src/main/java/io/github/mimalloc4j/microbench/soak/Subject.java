package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** An allocator under test, and what it tells of itself. */
interface Subject {
  /**
   * What must have come back.
   *
   * @param retainedBytes the most that is used, of each kind, when nothing is live
   * @param due after how long
   * @param latest after how long at the latest, for machines that are busy with other things
   */
  record Return(long retainedBytes, Duration due, Duration latest) {}

  ByteBufAllocator allocator();

  /** The bytes that it holds, in use or not. */
  long usedBytes(BufferKind kind);

  /** The bytes in use, exact while no thread is inside; empty if it does not tell. */
  OptionalLong pinnedBytes(BufferKind kind);

  /**
   * Checks what can be checked while no thread is inside.
   *
   * @param live all buffers that are live
   * @throws SoakFailure or an {@link AssertionError} if something is wrong
   */
  void checkAtRest(LiveRegistry live) throws InterruptedException;

  /** What it promises of the memory that nothing needs any more; empty if nothing. */
  Optional<Return> memoryReturn();
}
