package io.github.mimalloc4j.netty.buffers;

import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.memory.Pause;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.internal.ObjectUtil;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A block with its reference count.
 *
 * <p>The count is a field of the buffer. If the holder of the page's heap releases and the count is
 * 1, the last release is a plain write rather than an atomic operation. The holder is the heap's
 * owner or, if the heap is shared, a thread that has its lock. This is correct because whoever
 * releases holds a reference. A count of 1 therefore means that no other reference exists: no other
 * thread may retain or release, and nothing races with the write. The count is read by an acquire,
 * so that the last use of the bytes by threads that released before happens before their reuse.
 * Every other change of the count of a buffer in use is a compare-and-set or an atomic addition.
 *
 * <pre>
 *         retain: addition
 *         retain(n), release of any but the last reference: compare-and-set
 *              ┌──┐
 *              │  ▼      release by the holder at a count of 1: plain
 *   begin ──▶ count ────────────────────────────────────▶ FREE ──▶ begin ...
 *                │         any other last release: compare-and-set  ▲
 *                └────────────────────────────────────▶ DEFERRED ───┘
 *                                                           reclaim
 * </pre>
 *
 * <p>A large block has no holder, and begins again as it is, DEFERRED.
 *
 * <p>A program that releases twice breaks this rule. If one release follows the other, the second
 * finds no count and throws, unless the block is in use again: then it takes a reference from that
 * user. Of two concurrent releases, one of them the holder's, both may succeed. The block is then
 * on the deferred list although its state is FREE or it is in use again, and {@link #reclaim}
 * rejects it. All releases of a {@linkplain Guard guarded} buffer are compare-and-sets, so one of
 * the two fails.
 */
public abstract class CountedBlock extends AbstractByteBuf implements Block {

  /** So far apart, and so far from counts, that an invalid {@link #retain} cannot confuse them. */
  private static final int FREE = Integer.MIN_VALUE;

  private static final int DEFERRED = FREE / 2;

  private static final int MOST_REFERENCES = Integer.MAX_VALUE / 2;

  private static final VarHandle REF_CNT;

  static {
    try {
      REF_CNT = MethodHandles.lookup().findVarHandle(CountedBlock.class, "refCnt", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    Pause.initialize(); // a release must not load a class: there may be no Java heap for it
  }

  /** The number of references if positive, otherwise {@link #FREE} or {@link #DEFERRED}. */
  private int refCnt = FREE;

  /** The slot in the page, or its complement while the page does not refer to this buffer. */
  private int slot;

  private Page<MiMallocByteBuf> page;

  CountedBlock(Page<MiMallocByteBuf> page, int slot) {
    super(Integer.MAX_VALUE);
    this.page = page;
    this.slot = slot;
  }

  /**
   * Called when the last reference is given back, before the block can be reused. An exception that
   * it throws propagates to the caller of the release, which is complete nevertheless, unless the
   * guard's {@link Guard#putBack} throws, too: the block is lost then. (In {@link #free}, which has
   * no guard, only a stack overflow can occur: the buffer then stays in use.)
   */
  abstract void end();

  /** Marks the block as no longer being a buffer. Part of {@link #end}. */
  abstract void leaveUse();

  /**
   * Returns whether this buffer has a {@link Guard}. If no loaded class overrides this method, the
   * compiler treats the result as constant and omits the code for guards. Returning a guard that
   * may be null would not do: a method whose signature names a class that is not loaded yet would
   * not be inlined.
   */
  protected boolean isGuarded() {
    return false;
  }

  /** Returns this buffer's guard, if it {@linkplain #isGuarded() is guarded}. */
  public Guard guard() {
    throw new IllegalStateException("not guarded");
  }

  /** Gives a free block its first reference. */
  final void countFirst() {
    refCnt = 1; // plain: handing the buffer to another thread publishes it
  }

  /**
   * Gives back a block that its allocator took but cannot hand out. Nobody else knows the block. No
   * event is recorded.
   */
  public final void putBack() {
    leaveUse();
    recover(false);
    giveBack();
  }

  /**
   * Has the guard prepare the block for its next use if the release could not, for example where
   * the stack ends. If that fails, too, the block is lost: it must not be used as it is.
   */
  private void recover(boolean ended) {
    if (!ended && isGuarded()) {
      guard().putBack((MiMallocByteBuf) this);
    }
  }

  private void giveBack() {
    Page<MiMallocByteBuf> page = this.page;
    Heap<MiMallocByteBuf> heap = page.heap();
    int slot = boundSlot();
    if (heap != null && heap.isOwner(Thread.currentThread())) {
      refCnt = FREE;
      heap.release(page, slot);
    } else {
      refCnt = DEFERRED; // plain: what gives the block back publishes it
      Heap.releaseDeferred(page, slot);
    }
  }

  public final Page<MiMallocByteBuf> page() {
    return page;
  }

  /** Returns the size of the block in bytes. */
  public final int blockBytes() {
    return page.blockBytes();
  }

  /**
   * Makes this buffer, which is in use, unreachable from its page until its release. For buffers
   * that a leak detector watches: it detects an unreleased buffer when the buffer becomes
   * unreachable.
   */
  public final void unbind() {
    page.rebind(slot, null);
    slot = ~slot;
  }

  /** Returns the slot. Makes it refer to this buffer again if the buffer was unbound. */
  private int boundSlot() {
    int slot = this.slot;
    if (slot < 0) {
      slot = ~slot;
      this.slot = slot; // racing double releases write the same value
      page.rebind(slot, (MiMallocByteBuf) this);
    }
    return slot;
  }

  /**
   * Exchanges the places of two buffers that the caller has in use. This buffer stays unbound if it
   * was.
   */
  final void swapPlaces(CountedBlock other) {
    boolean unbound = slot < 0;
    Page<MiMallocByteBuf> page = this.page;
    int slot = boundSlot();
    bind(other.page, other.boundSlot());
    other.bind(page, slot);
    if (unbound) {
      unbind();
    }
  }

  private void bind(Page<MiMallocByteBuf> page, int slot) {
    this.page = page;
    this.slot = slot;
    page.rebind(slot, (MiMallocByteBuf) this);
  }

  @Override
  public final boolean free(Page<?> page, int slot) {
    if ((int) REF_CNT.getAcquire(this) != 1 || !isAt(page, slot)) { // read before the lock, too
      return false;
    }
    end();
    refCnt = FREE; // plain: the only reference, and whoever has the lock reuses the block
    return true;
  }

  @Override
  public final boolean reclaim(Page<?> page, int slot) {
    int state;
    do {
      state = (int) REF_CNT.getAcquire(this);
      if (!isDeferredState(state) || !isAt(page, slot)) {
        return false; // in another state, or it moved and is on the other page's deferred list
      }
    } while (!REF_CNT.compareAndSet(this, state, FREE)); // at once, unless others retain wrongly
    return true;
  }

  @Override
  public final boolean isDeferred(Page<?> page, int slot) {
    return isDeferredState((int) REF_CNT.getVolatile(this)) && isAt(page, slot);
  }

  /** To be called after the state was read, which publishes the place. */
  private boolean isAt(Page<?> page, int slot) {
    return this.page == page && this.slot == slot;
  }

  private static boolean isDeferredState(int state) {
    return state >= DEFERRED && state < 0;
  }

  @Override
  public final int refCnt() {
    int count = Math.max(0, (int) REF_CNT.getAcquire(this));
    if (isGuarded() && count == 0) {
      guard().readFree();
    }
    return count;
  }

  @Override
  public final ByteBuf retain() {
    int count = (int) REF_CNT.getAndAdd(this, 1);
    if (count <= 0) { // take back the 1, unless the block has a new user
      REF_CNT.compareAndSet(this, count + 1, count);
      throw illegalChange(count, 1);
    }
    if (count >= MOST_REFERENCES) {
      REF_CNT.getAndAdd(this, -1);
      throw illegalChange(count, 1);
    }
    return this;
  }

  @Override
  public final ByteBuf retain(int increment) {
    return addReferences(ObjectUtil.checkPositive(increment, "increment"));
  }

  @Override
  public final ByteBuf touch() {
    return this;
  }

  @Override
  public final ByteBuf touch(@Nullable Object hint) {
    return this;
  }

  @Override
  public final boolean release() {
    int count = (int) REF_CNT.getAcquire(this);
    if (count == 1) {
      Page<MiMallocByteBuf> page = this.page; // after the count: another holder may have moved it
      Heap<MiMallocByteBuf> heap = page.heap();
      if (heap != null && heap.isOwner(Thread.currentThread())) {
        if (isGuarded()) {
          freeOnlyReference();
        } else {
          refCnt = FREE; // plain: the only reference, and the only thread that reuses the block
        }
        boolean ended = false;
        try {
          end();
          ended = true;
        } finally { // a guard or its listener may throw
          if (isGuarded()) {
            recover(ended);
            giveBack(); // its listener may also have had this thread leave the heap
          } else {
            heap.release(page, boundSlot());
          }
        }
        return true;
      }
      if (heap != null
          && !isGuarded() // a guard may call anything, which must not happen under a lock
          && heap.releaseIfBiased((MiMallocByteBuf) this, page, boundSlot())) {
        return true;
      }
    }
    return removeReferences(count, 1);
  }

  @Override
  public final boolean release(int decrement) {
    if (decrement == 1) {
      return release();
    }
    ObjectUtil.checkPositive(decrement, "decrement");
    return removeReferences((int) REF_CNT.getAcquire(this), decrement);
  }

  private ByteBuf addReferences(int increment) {
    int count;
    do {
      count = (int) REF_CNT.getOpaque(this); // a guess: the compare-and-set validates it
      if (count <= 0 || increment > MOST_REFERENCES - count) {
        throw illegalChange(count, increment);
      }
    } while (!REF_CNT.compareAndSet(this, count, count + increment));
    return this;
  }

  private boolean removeReferences(int read, int decrement) {
    int count = read;
    for (int attempt = 0; count > decrement; attempt++) {
      if (REF_CNT.compareAndSet(this, count, count - decrement)) {
        return false;
      }
      Pause.after(attempt); // so that the other threads keep the cache line for a while
      count = (int) REF_CNT.getAcquire(this);
    }
    if (count < decrement) {
      throw illegalChange(count, -decrement);
    }
    return removeLastReferences(count);
  }

  private boolean removeLastReferences(int count) {
    Page<MiMallocByteBuf> page = this.page;
    int slot = boundSlot();
    if (!REF_CNT.compareAndSet(this, count, DEFERRED)) {
      // Reached only by a program that releases or retains without holding a reference.
      throw illegalChange((int) REF_CNT.getAcquire(this), -count);
    }
    boolean ended = false;
    try {
      end();
      ended = true;
    } finally { // as in release()
      recover(ended);
      Heap.releaseDeferred(page, slot);
    }
    return true;
  }

  /** Removes the last reference to a guarded buffer, for a release by the owner. */
  private void freeOnlyReference() {
    if (!REF_CNT.compareAndSet(this, 1, FREE)) {
      throw illegalChange((int) REF_CNT.getAcquire(this), -1);
    }
  }

  private IllegalReferenceCountException illegalChange(int count, int change) {
    IllegalReferenceCountException exception =
        new IllegalReferenceCountException(Math.max(0, count), change);
    return isGuarded() ? guard().explain(exception) : exception;
  }
}
