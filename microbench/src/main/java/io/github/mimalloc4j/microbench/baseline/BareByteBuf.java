package io.github.mimalloc4j.microbench.baseline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.internal.ObjectUtil;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A ready-made buffer with its reference count.
 *
 * <p>The last release by the thread whose stack it came from is no atomic operation: whoever reads
 * a count of 1 holds the only reference. All other changes of the count are compare-and-sets.
 */
final class BareByteBuf extends BareBytes {
  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(BareByteBuf.class, "count", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BareStacks home;
  private int count;
  private int capacity;

  /** Where it goes when it is free; null if it is not used again. */
  private BareStacks.@Nullable Stack stack;

  BareByteBuf(BareStacks home, BareStacks.@Nullable Stack stack, ByteBuffer bytes) {
    super(bytes);
    this.home = home;
    this.stack = stack;
  }

  /** Makes a free buffer one with a single reference. */
  BareByteBuf begin(int initialCapacity, int maxCapacity) {
    capacity = initialCapacity;
    maxCapacity(maxCapacity);
    clear();
    markReaderIndex();
    markWriterIndex();
    count = 1; // plain: handing the buffer to another thread publishes it
    return this;
  }

  BareStacks.Stack stack() {
    assert stack != null;
    return stack;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity > bytes.capacity()) {
      move(newCapacity);
    } else if (newCapacity < capacity) {
      trimIndicesToCapacity(newCapacity);
    }
    capacity = newCapacity;
    return this;
  }

  private void move(int newCapacity) {
    ByteBuffer larger = home.memory.obtain(newCapacity);
    larger.put(0, bytes, 0, capacity);
    home.memory.drop(bytes.capacity());
    bytes = larger;
    stack = null; // its size is none of a stack's
  }

  @Override
  public ByteBufAllocator alloc() {
    return home.memory.allocator;
  }

  @Override
  public int refCnt() {
    return count; // plain, as Netty's own check before each access: it is a guess for other threads
  }

  @Override
  public ByteBuf retain() {
    return retain(1);
  }

  @Override
  public ByteBuf retain(int increment) {
    ObjectUtil.checkPositive(increment, "increment");
    int now;
    do {
      now = (int) COUNT.getOpaque(this);
      if (now <= 0 || now + increment < 0) {
        throw new IllegalReferenceCountException(now, increment);
      }
    } while (!COUNT.compareAndSet(this, now, now + increment));
    return this;
  }

  @Override
  public ByteBuf touch() {
    return this;
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    return this;
  }

  @Override
  public boolean release() {
    BareStacks.Stack mine = stack;
    if (mine != null && home.owner == Thread.currentThread() && (int) COUNT.getAcquire(this) == 1) {
      count = 0;
      home.push(mine, this);
      return true;
    }
    return release(1);
  }

  @Override
  public boolean release(int decrement) {
    ObjectUtil.checkPositive(decrement, "decrement");
    int now;
    do {
      now = (int) COUNT.getAcquire(this);
      if (now < decrement) {
        throw new IllegalReferenceCountException(now, -decrement);
      }
    } while (!COUNT.compareAndSet(this, now, now - decrement));
    if (now > decrement) {
      return false;
    }
    if (stack == null) {
      home.memory.drop(bytes.capacity());
    } else {
      home.giveBack(this);
    }
    return true;
  }
}
