package io.github.mimalloc4j.core.planted;

import io.github.mimalloc4j.core.heap.DeferredSlots;
import java.util.concurrent.atomic.AtomicInteger;

/** The protocol of the deferred list without its refinements: right, until a bug is planted. */
class SimpleDeferredSlots implements DeferredSlots {

  static final int ASKED = -2;

  final AtomicInteger head = new AtomicInteger(NONE);
  private final int[] links = new int[4];

  @Override
  public boolean push(int slot) {
    int seen;
    do {
      seen = head.get();
      links[slot] = Math.max(seen, NONE);
    } while (!head.compareAndSet(seen, slot));
    return seen == ASKED;
  }

  @Override
  public int takeAll() {
    return head.get() < 0 ? NONE : head.getAndSet(NONE);
  }

  @Override
  public int next(int slot) {
    return links[slot];
  }

  @Override
  public boolean ask() {
    return head.compareAndSet(NONE, ASKED);
  }
}
