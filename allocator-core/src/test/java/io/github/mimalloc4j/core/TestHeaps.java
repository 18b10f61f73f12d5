package io.github.mimalloc4j.core;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** An allocator of {@link TestBlock}s, with all that a test wants to look at. */
final class TestHeaps {

  private static final int SHARED_HEAPS = 4;

  final TestSource source = new TestSource();
  final AtomicInteger doubleReleases = new AtomicInteger();

  /** How many blocks are made before making one fails. */
  final AtomicInteger blocksUntilFailure = new AtomicInteger();

  /** Throws instead of making a block while it is positive, and counts down. */
  final AtomicInteger failingBlocks = new AtomicInteger();

  /** How many blocks have been made. */
  final AtomicInteger blocksMade = new AtomicInteger();

  final Heaps<TestBlock> heaps;

  /** Runs the upkeep of what no thread owns when told to. */
  final ManualUpkeep upkeep = new ManualUpkeep();

  /** Runs the upkeep of owners when told to, on the thread that tells. */
  final ManualUpkeep ownerUpkeep = new ManualUpkeep();

  TestHeaps() {
    this(MemoryPolicy.DEFAULT);
  }

  TestHeaps(MemoryPolicy policy) {
    heaps =
        new Heaps<>(
            source, policy, SHARED_HEAPS, this::newBlock, upkeep, doubleReleases::incrementAndGet);
  }

  /** A heap for the calling thread. */
  Heap<TestBlock> acquire() {
    return heaps.acquire(ownerUpkeep);
  }

  void check() {
    Invariants.check(heaps);
  }

  private TestBlock newBlock(Page<TestBlock> page, int slot, Memory memory, int offset) {
    if (blocksUntilFailure.getAndUpdate(left -> Math.max(0, left - 1)) == 0
        && failingBlocks.get() > 0) {
      failingBlocks.decrementAndGet();
      throw new OutOfMemoryError("the test's Java heap");
    }
    blocksMade.incrementAndGet();
    return new TestBlock(page, slot, memory, offset);
  }

  /** Runs something on a thread of its own, to its end. */
  static <T> T onThread(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = new Thread(future);
    thread.start();
    thread.join();
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  static void runOnThread(Runnable task) throws Exception {
    onThread(
        () -> {
          task.run();
          return true;
        });
  }
}
