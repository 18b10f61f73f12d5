package io.github.mimalloc4j.netty.debugging;

import io.github.mimalloc4j.netty.buffers.Guard;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.netty.util.IllegalReferenceCountException;
import org.jspecify.annotations.Nullable;

/**
 * Samples some of the buffers that a block becomes. Wraps the guard of another debugging option.
 */
final class SamplingGuard extends Guard {

  private final Guard inner;
  private final LiveBuffers live;

  /** The sample of the buffer in use; null if it is not sampled, and while the block is free. */
  private @Nullable LiveBuffer sample;

  SamplingGuard(Guard inner, LiveBuffers live) {
    this.inner = inner;
    this.live = live;
  }

  @Override
  public int spareBytes() {
    return inner.spareBytes();
  }

  @Override
  public boolean take(MiMallocByteBuf block, int capacity) {
    if (!inner.take(block, capacity)) {
      return false;
    }
    LiveBuffer sample = live.sample(block);
    if (sample != null) {
      this.sample = sample;
    }
    return true;
  }

  @Override
  public void checkEnd(MiMallocByteBuf buffer) {
    inner.checkEnd(buffer);
  }

  @Override
  public void resize(MiMallocByteBuf buffer, int newCapacity) {
    inner.resize(buffer, newCapacity);
  }

  /** Exchanges the samples of the two buffers, because they have exchanged their blocks. */
  @Override
  public void inherit(Guard grown) {
    SamplingGuard other = (SamplingGuard) grown;
    LiveBuffer ofNewBlock = sample;
    sample = other.sample;
    other.sample = ofNewBlock;
    inner.inherit(other.inner);
  }

  @Override
  public void putBack(MiMallocByteBuf block) {
    forget();
    inner.putBack(block);
  }

  @Override
  public void release(MiMallocByteBuf buffer) {
    forget(); // first: the other guard may throw
    inner.release(buffer);
  }

  private void forget() {
    LiveBuffer sample = this.sample;
    if (sample != null) {
      this.sample = null;
      live.remove(sample);
    }
  }

  @Override
  public IllegalReferenceCountException explain(IllegalReferenceCountException exception) {
    return inner.explain(exception);
  }

  @Override
  public void readFree() {
    inner.readFree();
  }
}
