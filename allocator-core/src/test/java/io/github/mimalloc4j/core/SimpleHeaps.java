package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.HeapView;
import io.github.mimalloc4j.core.heap.SimpleHeap;
import io.github.mimalloc4j.core.heap.SimpleUpkeep;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The protocols between {@link SimpleHeap}s, and of their closing: right, until a subclass plants a
 * bug in one of the steps.
 */
class SimpleHeaps implements HeapsView {

  final SimpleHeap shared = new SimpleHeap(false, 0);
  final List<SimpleHeap> owned = new CopyOnWriteArrayList<>();
  volatile boolean closed;
  private volatile boolean ownerTold;
  private @Nullable SimpleHeap acquired;
  private int kept;

  SimpleHeaps(boolean hasUpkeep) {
    shared.trim(); // no page yet
    if (hasUpkeep) {
      shared.upkeep = new SimpleUpkeep(this::keepUp);
    }
  }

  @Override
  public boolean use() {
    int block = allocateShared();
    if (block == HeapView.NONE) {
      return false;
    }
    shared.releaseElsewhere(block);
    return true;
  }

  int allocateShared() {
    shared.acquireLock();
    int block = closed ? HeapView.NONE : shared.allocate();
    shared.unlock();
    shared.help();
    return block;
  }

  @Override
  public void keep() {
    kept = allocateShared();
  }

  @Override
  public void releaseKept() {
    shared.releaseElsewhere(kept);
  }

  @Override
  public boolean acquire() {
    if (closed) {
      return false;
    }
    SimpleHeap heap = adoptOrAdd();
    if (closed) {
      heap.abandon();
      return false;
    }
    acquired = heap;
    return true;
  }

  final SimpleHeap adoptOrAdd() {
    for (SimpleHeap heap : owned) {
      if (heap.adopt()) {
        return heap;
      }
    }
    SimpleHeap heap = newOwned();
    owned.add(heap);
    return heap;
  }

  /** A heap whose page is empty. */
  SimpleHeap newOwned() {
    return new SimpleHeap(true, 0);
  }

  final void acquired(SimpleHeap heap) {
    acquired = heap;
  }

  @Override
  public void abandon() {
    acquired.abandon();
    shared.request();
  }

  @Override
  public boolean isOwnerForgotten() {
    return acquired.owned && !owned.contains(acquired);
  }

  @Override
  public boolean isOwnerTold() {
    return ownerTold;
  }

  @Override
  public boolean hasOwner() {
    return owned.stream().anyMatch(heap -> heap.owned);
  }

  @Override
  public void trim() {
    trimShared();
  }

  @Override
  public boolean runUpkeep() {
    return shared.runUpkeep();
  }

  private void keepUp() {
    for (SimpleHeap heap : owned) {
      if (heap.discard()) {
        owned.remove(heap);
      }
    }
    if (!trimShared()) {
      askAgain();
    }
  }

  void askAgain() {
    shared.request();
  }

  private boolean trimShared() {
    if (!shared.tryLock()) {
      return false;
    }
    shared.trim();
    shared.unlock();
    shared.help();
    return true;
  }

  @Override
  public void close() {
    closed = true;
    endSharing();
    for (SimpleHeap heap : owned) {
      if (heap.owned) {
        ownerTold = true;
      }
    }
  }

  void endSharing() {
    shared.acquireLock();
    shared.leave();
    shared.unlock();
    shared.help();
  }

  @Override
  public boolean isNothingUsed() {
    return shared.gone;
  }
}
