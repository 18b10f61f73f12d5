package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thread that comes to the end of its stack, at any place within an operation. */
@Tag("same-without-unsafe")
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

  /** Otherwise the threads that come to that heap would go to others for ever, and a close wait. */
  @Test
  void inAReleaseLeavesNoLockOfASharedHeapTaken() throws Exception {
    for (int frames = 1; frames <= FRAMES; frames++) {
      int most = frames;
      Thread thread = new Thread(null, () -> overflow(most), "deep", STACK_BYTES);
      thread.start();
      thread.join();
    }
    assertThat(overflows).isGreaterThan(FRAMES);
    for (Heap<TestBlock> heap : test.shared()) {
      assertThat(heap.tryLock()).isTrue();
      heap.unlock();
    }
  }

  private void overflow(int most) {
    for (int i = 0; i < MOST_DEPTH; i++) {
      blocks.add(allocator.allocateShared(SIZE).begin()); // the heap is biased to this thread now
    }
    try {
      descend(0, most);
    } catch (StackOverflowError e) {
      overflows++;
    }
  }

  /** Releases a block at each depth from which the stack did not suffice to go deeper. */
  private void descend(long depth, int most) {
    try {
      switch ((int) (depth % most)) {
        case 0 -> descend(depth + 1, most);
        case 1 -> descend(depth + 1, most, 0);
        default -> descend(depth + 1, most, 0, 0, 0);
      }
    } finally {
      releaseOne();
    }
  }

  private void descend(long depth, int most, long a) {
    try {
      descend(depth + 1, most);
    } finally {
      releaseOne();
    }
  }

  private void descend(long depth, int most, long a, long b, long c) {
    try {
      descend(depth + 1, most);
    } finally {
      releaseOne();
    }
  }

  private void releaseOne() {
    try {
      blocks.remove().release();
    } catch (StackOverflowError e) {
      overflows++;
    }
  }
}
