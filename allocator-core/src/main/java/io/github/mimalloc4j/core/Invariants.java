package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapInvariants;
import io.github.mimalloc4j.core.memory.PoolInvariants;

/**
 * What must hold of an allocator whenever no thread is inside it. Each check throws an {@link
 * AssertionError} that says what does not.
 *
 * <p>For tests and for programs that pause: the caller sees to it that no other thread allocates,
 * releases or ends meanwhile, and that what they did happens-before the call.
 */
public final class Invariants {

  private Invariants() {}

  /**
   * Walks all heaps, pages and segments.
   *
   * @throws AssertionError if an invariant does not hold
   */
  public static void check(BlockAllocator<?> allocator) {
    PoolInvariants pool = new PoolInvariants(allocator.pool());
    for (Heap<?> heap : allocator.shared()) {
      PoolInvariants.require(heap.owner() == null, "a shared heap has an owner");
    }
    for (Heap<?> heap : allocator.heaps()) {
      HeapInvariants.check(heap, pool);
    }
    pool.check();
  }
}
