package io.github.mimalloc4j.netty.planted;

import io.netty.util.IllegalReferenceCountException;

/** A reference count that says, too, whether the block is free: right, until a bug is planted. */
class SimpleReusedBuffer extends SimpleBuffer {

  static final int FREE = Integer.MIN_VALUE;
  static final int DEFERRED = FREE / 2;

  private boolean dropped;

  SimpleReusedBuffer() {
    super(1);
  }

  @Override
  public void retain() {
    int before = count.getAndIncrement();
    if (before <= 0) {
      takeBack(before);
      throw new IllegalReferenceCountException();
    }
  }

  void takeBack(int before) {
    count.compareAndSet(before + 1, before);
  }

  @Override
  public boolean release() {
    int before = count.get();
    if (before < 1) {
      throw new IllegalReferenceCountException();
    }
    int after = before == 1 ? DEFERRED : before - 1;
    return count.compareAndSet(before, after) ? after == DEFERRED : release();
  }

  @Override
  public boolean reuse() {
    int state = count.get();
    if (state > 0) {
      return false;
    }
    dropped = !reclaim(state);
    if (!dropped) {
      count.set(1);
    }
    return !dropped;
  }

  boolean reclaim(int state) {
    return count.compareAndSet(state, FREE) || reclaim(count.get());
  }

  @Override
  public int timesFree() {
    return dropped || count.get() > 0 ? 0 : 1;
  }
}
