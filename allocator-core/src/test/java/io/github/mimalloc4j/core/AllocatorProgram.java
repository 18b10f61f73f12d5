package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A sequence of operations on an allocator, decoded from a fuzzer's bytes: three to an operation.
 * After each, the allocator is sound and agrees with a model.
 */
public final class AllocatorProgram {

  private static final int OPERATION_BYTES = 3;

  /** The calling thread owns as many heaps, as if it were as many threads. */
  private static final int HEAPS = 3;

  private final TestAllocator test;
  private final BlockAllocator<TestBlock> allocator;
  private final List<Heap<TestBlock>> owned = new ArrayList<>();
  private final LiveBlocks live = new LiveBlocks();
  private final ByteBuffer input;
  private final Consumer<TestBlock> releaser;

  /**
   * Makes a program that releases blocks in the given way when it does so as their owner.
   *
   * @param trimPortion 1 for trims that take as many tasks as can be
   */
  public AllocatorProgram(byte[] input, Consumer<TestBlock> releaser, int trimPortion) {
    test = new TestAllocator(MemoryPolicy.DEFAULT, trimPortion);
    allocator = test.allocator;
    this.input = ByteBuffer.wrap(input);
    this.releaser = releaser;
    for (int i = 0; i < HEAPS; i++) {
      owned.add(test.acquire());
    }
  }

  public void run() {
    int count = 0;
    while (input.remaining() >= OPERATION_BYTES) {
      int choice = input.get() & 0xff;
      int operand = input.getShort() & 0xffff;
      try {
        perform(choice, operand);
        live.check(test);
      } catch (RuntimeException | AssertionError e) {
        String operation = "operation " + count + " (" + choice + ", " + operand + "): ";
        throw new AssertionError(operation + e.getMessage(), e);
      }
      count++;
    }
    end();
  }

  private void perform(int choice, int operand) {
    Heap<TestBlock> heap = owned.get(choice / 16 % HEAPS);
    switch (choice % 16) {
      case 0, 1, 2 -> allocate(heap, operand % 1024);
      case 3 -> allocate(heap, operand);
      case 4 -> allocate(heap, operand << choice / 32); // up to what has a segment to itself
      case 5 -> allocateShared(operand << choice / 64);
      case 6 -> allocateMany(heap, operand / 256, operand % 256 * 32);
      case 7, 8, 9 -> release(operand, 1, releaser);
      case 10 -> release(operand, 1, TestBlock::releaseDeferred);
      case 11 -> release(operand, choice, releaser);
      case 12 -> release(operand, choice, TestBlock::releaseDeferred);
      case 13 -> hand(choice / 16 % HEAPS, operand);
      case 14 -> giveBack(heap, operand);
      default -> runOutOfMemory(operand);
    }
  }

  private void allocate(Heap<TestBlock> heap, int bytes) {
    boolean mayFail = isShort();
    try {
      live.add(heap.allocate(bytes), bytes);
    } catch (OutOfMemoryError e) {
      assertThat(mayFail).as("memory is short").isTrue();
    }
  }

  private void allocateShared(int bytes) {
    boolean mayFail = isShort();
    try {
      live.add(allocator.allocateShared(bytes), bytes);
    } catch (OutOfMemoryError e) {
      assertThat(mayFail).as("memory is short").isTrue();
    }
  }

  private void allocateMany(Heap<TestBlock> heap, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      allocate(heap, bytes);
    }
  }

  private void release(int index, int count, Consumer<TestBlock> release) {
    for (int i = 0; i < count && !live.isEmpty(); i++) {
      release.accept(live.remove(index % live.count()));
    }
  }

  /** Abandons a heap, and adopts one: often the same, for few are abandoned at a time. */
  private void hand(int index, int operand) {
    allocator.abandon(owned.get(index));
    live.check(test);
    release(operand, operand % 8, TestBlock::release);
    live.check(test);
    owned.set(index, test.acquire());
  }

  private void giveBack(Heap<TestBlock> heap, int operand) {
    switch (operand % 4) {
      case 0 -> heap.trim();
      case 1 -> allocator.trim();
      case 2 -> test.ownerUpkeep.runOnce();
      default -> test.upkeep.runOnce();
    }
  }

  private boolean isShort() {
    return test.source.failures > 0 || test.failingBlocks.get() > 0;
  }

  /** Later: the next calls for segments, or for Java objects, fail. */
  private void runOutOfMemory(int operand) {
    int successes = operand / 8 % 8;
    int failures = 1 + operand / 64 % 4;
    if (operand % 8 == 0) {
      test.source.callsUntilFailure = successes;
      test.source.failures = failures;
    } else if (operand % 8 == 1) {
      test.blocksUntilFailure.set(successes);
      test.failingBlocks.set(failures);
    }
  }

  private void end() {
    test.source.failures = 0;
    test.failingBlocks.set(0);
    release(0, live.count(), TestBlock::release);
    live.check(test);
    owned.forEach(allocator::abandon);
    allocator.trim();
    live.check(test);
    assertThat(allocator.usedBytes()).as("used bytes").isZero();
  }
}
