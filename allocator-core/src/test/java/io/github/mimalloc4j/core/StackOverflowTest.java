package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that comes to the end of its stack, at any place within an operation. */
@Tag("same-without-unsafe")
@Timeout(value = 1, unit = TimeUnit.MINUTES) // who waits for a lock might wait for ever
class StackOverflowTest {

  private static final int SIZE = 1000;
  private static final int STACK_BYTES = 512 * 1024;

  /** More frames than the stack has room for. */
  private static final int MOST_DEPTH = 20_000;

  /** Frames of several sizes, so that the stack ends at many places. */
  private static final int FRAMES = 7;

  private final TestAllocator test = new TestAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final Deque<TestBlock> blocks = new ArrayDeque<>();
  private int overflows;

  @Test
  void inAReleaseLeavesNoLockOfASharedHeapTaken() throws Exception {
    overflow(() -> blocks.remove().release());
  }

  @Test
  void inAnAllocationLeavesNoLockOfASharedHeapTaken() throws Exception {
    overflow(() -> blocks.add(allocate()));
  }

  /** Otherwise the threads that come to that heap would go to others for ever, and a close wait. */
  private void overflow(Runnable operation) throws Exception {
    for (int frames = 1; frames <= FRAMES; frames++) {
      int most = frames;
      Thread thread = new Thread(null, () -> overflow(most, operation), "deep", STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      thread.join();
    }
    assertThat(overflows).isGreaterThan(FRAMES);
    assertThat(allocator.heaps()).isNotEmpty().noneMatch(Heap::isLocked);
  }

  private void overflow(int most, Runnable operation) {
    for (int i = 0; i < MOST_DEPTH; i++) {
      blocks.add(allocate()); // the heap is biased to this thread now
    }
    try {
      descend(0, most, operation);
    } catch (StackOverflowError e) {
      overflows++;
    }
  }

  private TestBlock allocate() {
    return allocator.allocateShared(SIZE).begin();
  }

  /** Does the operation at each depth from which the stack did not suffice to go deeper. */
  private void descend(long depth, int most, Runnable operation) {
    try {
      switch ((int) (depth % most)) {
        case 0 -> descend(depth + 1, most, operation);
        case 1 -> descend(depth + 1, most, operation, 0);
        default -> descend(depth + 1, most, operation, 0, 0, 0);
      }
    } finally {
      attempt(operation);
    }
  }

  private void descend(long depth, int most, Runnable operation, long a) {
    try {
      descend(depth + 1, most, operation);
    } finally {
      attempt(operation);
    }
  }

  private void descend(long depth, int most, Runnable operation, long a, long b, long c) {
    try {
      descend(depth + 1, most, operation);
    } finally {
      attempt(operation);
    }
  }

  private void attempt(Runnable operation) {
    try {
      operation.run();
    } catch (StackOverflowError e) {
      overflows++;
    }
  }
}
