package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.HeapInvariants;
import io.github.mimalloc4j.core.memory.PoolInvariants;

/**
 * The invariants of an allocator, which hold whenever no thread is inside it. Each check throws an
 * {@link AssertionError} that names the invariant that does not hold.
 *
 * <p>For tests and for programs that pause. The caller ensures that no other thread allocates,
 * releases or ends meanwhile, and that what those threads did happens-before the call.
 */
public final class Invariants {

  private Invariants() {}

  /**
   * Checks all heaps, pages and segments.
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
