package io.github.mimalloc4j.netty.planted;

import io.github.mimalloc4j.netty.BufferView;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A reference count and a place that can change: right, until a bug is planted. */
class SimpleBuffer implements BufferView {

  final AtomicInteger count;
  private final AtomicIntegerArray timesFreed = new AtomicIntegerArray(2);
  int place;
  private volatile Thread owner;

  SimpleBuffer(int references) {
    count = new AtomicInteger(references);
  }

  @Override
  public void own() {
    owner = Thread.currentThread();
  }

  @Override
  public void awaitOwner() {}

  @Override
  public void retain() {
    count.incrementAndGet();
  }

  @Override
  public boolean release() {
    return freedIf(count.decrementAndGet() == 0);
  }

  @Override
  public void grow() {
    freedAt(place);
    place = 1;
  }

  @Override
  public boolean reuse() {
    throw new UnsupportedOperationException("see SimpleReusedBuffer");
  }

  @Override
  public int timesFree() {
    return timesFreed.get(place);
  }

  @Override
  public boolean isAllFree() {
    return timesFreed.get(0) == 1 && timesFreed.get(1) == 1;
  }

  final boolean isOwner() {
    return owner == Thread.currentThread();
  }

  final boolean freedIf(boolean last) {
    return last && freedAt(place);
  }

  final boolean freedAt(int place) {
    timesFreed.incrementAndGet(place);
    return true;
  }
}
