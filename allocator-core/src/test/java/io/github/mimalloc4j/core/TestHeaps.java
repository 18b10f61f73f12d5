package io.github.mimalloc4j.core;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** An allocator of {@link TestBlock}s, with all that a test wants to look at. */
final class TestHeaps {

  final TestSource source = new TestSource();
  final AtomicInteger doubleReleases = new AtomicInteger();

  /** Throws instead of making a block while it is positive, and counts down. */
  final AtomicInteger failingBlocks = new AtomicInteger();

  final Heaps<TestBlock> heaps;

  TestHeaps() {
    this(SegmentSizing.DEFAULT);
  }

  TestHeaps(SegmentSizing sizing) {
    heaps = new Heaps<>(source, sizing, this::newBlock, doubleReleases::incrementAndGet);
  }

  void check() {
    Invariants.check(heaps);
  }

  private TestBlock newBlock(Page<TestBlock> page, int slot, Memory memory, int offset) {
    if (failingBlocks.get() > 0) {
      failingBlocks.decrementAndGet();
      throw new OutOfMemoryError("the test's Java heap");
    }
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
