package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.TestSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A block that knows where its bytes would be, and its state as a buffer would. */
public final class TestBlock implements Block {

  private static final int IN_USE = 1;
  private static final int FREE = 0;
  private static final int DEFERRED = -1;

  private final AtomicInteger state = new AtomicInteger(FREE);
  public final Page<TestBlock> page;
  final int slot;

  /** How often reclaiming it fails as where the stack ends. */
  int reclaimOverflows;

  /** Whether it refers to its memory no more. */
  private volatile boolean forgotten;

  /** The address of the first byte, different for every byte of every memory. */
  public final long address;

  public TestBlock(Page<TestBlock> page, int slot, Memory memory, int offset) {
    this.page = page;
    this.slot = slot;
    this.address = ((TestSource.TestMemory) memory).address + offset;
  }

  public int size() {
    return page.blockBytes();
  }

  /** The bytes of its page. */
  public int pageBytes() {
    return page.bytes();
  }

  /** How many blocks its page has room for. */
  public int pageCapacity() {
    return page.capacity;
  }

  /** Whether it has the lowest address of its page. */
  public boolean isFirst() {
    return slot == 0;
  }

  public boolean hasForgotten() {
    return forgotten;
  }

  public TestBlock begin() {
    if (forgotten) {
      throw new AssertionError("a block was handed out that has forgotten its memory");
    }
    if (!state.compareAndSet(FREE, IN_USE) && !state.compareAndSet(DEFERRED, IN_USE)) {
      throw new AssertionError("a block was handed out that is in use");
    }
    // Only a large page's block, which nobody reclaims, is handed out as it was released.
    return this;
  }

  /** Releases as the owner of the page. */
  void releaseAsOwner() {
    state.set(FREE);
    Heap<TestBlock> heap = page.heap();
    if (heap == null) {
      throw new AssertionError("a large page has no owner");
    }
    heap.release(page, slot);
  }

  /** Releases from another thread, or a block of a large page. */
  public void releaseDeferred() {
    if (!state.compareAndSet(IN_USE, DEFERRED)) {
      throw new AssertionError("a block is released that is not in use");
    }
    Heap.releaseDeferred(page, slot);
  }

  /** The first half of a release from another thread that is to tell the holder, and is late. */
  void deferWithoutTelling() {
    state.set(DEFERRED);
    if (!page.deferred.push(slot)) {
      throw new AssertionError("the holder did not ask");
    }
  }

  /** Releases by whatever way is right for the calling thread. */
  public void release() {
    Heap<TestBlock> heap = page.heap();
    if (heap != null && heap.isOwner(Thread.currentThread())) {
      releaseAsOwner();
    } else if (heap == null || !heap.releaseIfBiased(this, page, slot)) {
      releaseDeferred();
    }
  }

  /** The state that an owner and another thread leave who release at the same time. */
  public void releaseTwice() {
    releaseDeferred();
    releaseAsOwner();
  }

  @Override
  public boolean free(Page<?> in, int at) {
    return state.compareAndSet(IN_USE, FREE);
  }

  @Override
  public boolean reclaim(Page<?> in, int at) {
    if (reclaimOverflows > 0) {
      reclaimOverflows--;
      throw new StackOverflowError("the test's");
    }
    return state.compareAndSet(DEFERRED, FREE);
  }

  @Override
  public boolean isDeferred(Page<?> in, int at) {
    return state.get() == DEFERRED;
  }

  @Override
  public void forgetMemory() {
    if (state.get() == IN_USE) {
      throw new AssertionError("a block in use is to forget its memory");
    }
    forgotten = true;
  }

  @Override
  public void recallMemory() {
    forgotten = false;
  }
}
