package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.ModelChecking;

/** A race for a heap with one page. */
abstract class HeapRace extends ModelChecking.Race {

  final RacedHeap heap;

  HeapRace(RacedHeap heap) {
    this.heap = heap;
  }

  /** Returns how many blocks of the first page came. */
  final int allocate(int blocks) {
    int found = 0;
    for (int i = 0; i < blocks; i++) {
      found += heap.allocate() == RacedHeap.NONE ? 0 : 1;
    }
    return found;
  }

  final void requireGivenBackOnce() {
    require(heap.isGivenBack(), "the page was not given back once, but " + heap.fate());
  }
}
