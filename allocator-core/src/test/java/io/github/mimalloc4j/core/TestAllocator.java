package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapResources;
import io.github.mimalloc4j.core.heap.ManualUpkeep;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.core.memory.TestSource;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An allocator of {@link TestBlock}s, with all that a test wants to look at. */
public final class TestAllocator {

  private static final int SHARED_HEAPS = 4;

  public final TestSource source = new TestSource();

  /** Of how many double releases the listener was told. */
  final AtomicLong toldDoubleReleases = new AtomicLong();

  /** How many blocks are made before making one fails. */
  final AtomicInteger blocksUntilFailure = new AtomicInteger();

  /** Throws instead of making a block while it is positive, and counts down. */
  final AtomicInteger failingBlocks = new AtomicInteger();

  /** What making a block fails with. */
  Throwable blockFailure = new OutOfMemoryError("the test's Java heap");

  /** How many blocks have been made. */
  public final AtomicInteger blocksMade = new AtomicInteger();

  public final BlockAllocator<TestBlock> allocator;

  /** Runs the upkeep of what no thread owns when told to. */
  public final ManualUpkeep upkeep = new ManualUpkeep();

  /** Runs the upkeep of owners when told to, on the thread that tells. */
  public final ManualUpkeep ownerUpkeep = new ManualUpkeep();

  public TestAllocator() {
    this(MemoryPolicy.DEFAULT);
  }

  public TestAllocator(MemoryPolicy policy) {
    this(policy, HeapResources.TRIM_PORTION);
  }

  /** One whose heaps are trimmed in other portions than usual. */
  public TestAllocator(MemoryPolicy policy, int trimPortion) {
    allocator =
        new BlockAllocator<>(
            source,
            policy,
            SHARED_HEAPS,
            this::newBlock,
            upkeep,
            toldDoubleReleases::getAndAdd,
            trimPortion);
  }

  /** A heap for the calling thread. */
  public Heap<TestBlock> acquire() {
    return allocator.acquire(ownerUpkeep);
  }

  /** How many double releases were caught. */
  public long doubleReleases() {
    return allocator.counters().doubleReleases();
  }

  public void check() {
    Invariants.check(allocator);
  }

  /** The heaps that are or were owned. */
  public Heap<TestBlock>[] owned() {
    return allocator.owned();
  }

  /** The heaps that are shared. */
  public Heap<TestBlock>[] shared() {
    return allocator.shared();
  }

  public SegmentPool pool() {
    return allocator.pool();
  }

  private TestBlock newBlock(Page<TestBlock> page, int slot, Memory memory, int offset) {
    if (blocksUntilFailure.getAndUpdate(left -> Math.max(0, left - 1)) == 0
        && failingBlocks.get() > 0) {
      failingBlocks.decrementAndGet();
      throw TestSource.<RuntimeException>sneaky(blockFailure);
    }
    blocksMade.incrementAndGet();
    return new TestBlock(page, slot, memory, offset);
  }

  /** Runs something on a thread of its own, to its end. */
  public static <T> T onThread(Callable<T> task) throws Exception {
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

  public static void runOnThread(Runnable task) throws Exception {
    onThread(
        () -> {
          task.run();
          return true;
        });
  }
}
