package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.Run;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A run divided into blocks of one size.
 *
 * <pre>
 *   slot      0    1    2    3    4 ... created ... capacity
 *   blocks  [ B0 , B1 , B2 , B3 , –  ...                    ]   created on first use, then kept
 *   free    [ 3  , 0  , .  , .                              ]   a stack of slots
 *                      ▲ top
 * </pre>
 *
 * <p>The free list is a stack of slot numbers, not a list of references through the blocks, because
 * storing a reference costs a barrier of the garbage collector. A page never calls its heap: its
 * methods return what happened, and the heap acts.
 *
 * <p>A page of a heap is in one of three states:
 *
 * <pre>
 *         add                nothing is left, and it was asked for
 *   made ─────▶ queued ────────────────────────────────────────────▶ exhausted
 *                │  ▲                                                    │
 *    empty, and  │  └────────────────────────────────────────────────────┤
 *    given back  ▼                   a block comes back                  │
 *              gone ◀────────────────────────────────────────────────────┘
 *                     queued or exhausted: the holder finds that the page was stolen
 *
 *   retired   queued or exhausted: it became empty, and is looked at before it can be gone;
 *             until then it may be in use again
 *   asked     in any state: its deferred list has the question, or a releaser that found it there
 *             is about to post the page, or the page is in the mailbox
 * </pre>
 *
 * <p>An exhausted page was always asked for; otherwise its blocks would be missed. It has no free
 * block, unless queueing it {@linkplain #wasCutShort was cut short}. A page that is queued again is
 * still asked for, and a page that is gone may be, if the post is late. An empty page is always
 * retired, and so queued, with the same exception. Large pages, which belong to no heap, have no
 * state.
 *
 * <p>A thread that needs memory may {@linkplain #steal() steal} a page whose blocks are all
 * deferred. The holder does not know then until it looks at the deferred list. A stolen page that
 * is gone may still be among the retired pages until its turn comes there.
 *
 * <p>Invariants, checked by {@link HeapInvariants}: {@code 0 <= top <= created <= capacity}; the
 * slots {@code free[0 .. top - 1]} differ and are below {@code created}; the blocks below {@code
 * created} exist, except those in use that were unbound. A deferred block counts as in use until it
 * is collected.
 *
 * <p>Holder of the page's heap only, unless stated otherwise.
 *
 * @param <B> the type of the blocks
 */
public final class Page<B extends Block> extends PagePadding<B> implements Run.Attachment {

  /** Marks the end of a queue, and a page without a number. */
  static final int NO_PAGE = -1;

  /** The value of {@link #next} while the page is in no queue. */
  static final int NOT_QUEUED = -2;

  /** About how many bytes of blocks are created at a time: an unused slot costs no Java object. */
  private static final int EXTEND_BYTES = 4096;

  final int bin;
  final int capacity;

  private short[] free;
  private final @Nullable B[] blocks;
  private int top;
  private int created;

  /**
   * The number of blocks taken. No other figure implies it, because a block that is taken and put
   * back leaves no trace. A plain increment next to {@link #top}, in a cache line that the holder
   * has just written.
   */
  private long allocations;

  /** The page's number in its heap; see {@link PageTable}. */
  private int number = NO_PAGE;

  /**
   * The number of the next page in its bin's queue, if the page is queued; {@link #NO_PAGE} at the
   * tail. Belongs to {@link PageQueues}.
   */
  int next = NOT_QUEUED;

  /** The number of the previous page in the queue, or {@link #NO_PAGE}; as {@link #next}. */
  int previous = NO_PAGE;

  /**
   * The next slot of a chain that was taken from the deferred list, or {@link DeferredList#NONE}.
   * The rest is left here if reclaiming it was cut short, for example by the end of the stack.
   */
  private short chain = DeferredList.NONE;

  /** Whether the page is among its heap's {@link RetiredPages}. */
  private boolean retired;

  /** Whether the page was queued uncollected, to be stolen or to wait for its turn. */
  private boolean uncollected;

  /** Whether the holder has found the page stolen. */
  private boolean foundStolen;

  /** The next retired page. Belongs to {@link RetiredPages}. */
  @Nullable Page<B> nextRetired;

  /**
   * Whether the page was asked for. Nobody asks again until it is answered, so it is posted once.
   */
  boolean asked;

  /**
   * Whether the question was taken by a releaser that could not post the page: nobody will. Set by
   * that thread.
   */
  volatile boolean unposted;

  /**
   * The heap that keeps this large page if its owner releases the block; null if none does. Belongs
   * to whoever has the page to itself.
   */
  @Nullable Heap<B> keeper;

  /** The next page in the {@link Mailbox}, written by whoever posts this one. */
  @Nullable Page<B> nextInMailbox;

  Page(@Nullable Heap<B> heap, Run run, int bin, int blockBytes, int capacity) {
    super(heap, run, new DeferredList(capacity), blockBytes);
    this.bin = bin;
    this.capacity = capacity;
    free = new short[0];
    @SuppressWarnings("unchecked") // filled by a BlockFactory<B> only
    @Nullable B[] blocks = (B[]) new Block[capacity];
    this.blocks = blocks;
  }

  /** Creates a page that never has anything to hand out. Nothing in it ever changes. */
  static <B extends Block> Page<B> none() {
    return new Page<>(null, Run.none(), 0, 0, 0);
  }

  /** Returns the bytes of each block. Any thread. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns the memory of the page's segment. Any thread. */
  public Memory memory() {
    return memory;
  }

  /** Returns whether the page is for one block that is too large to share a segment. Any thread. */
  public boolean isDedicated() {
    return run.isDedicated();
  }

  /** Returns the heap, or null for a large page, which belongs to none. Any thread. */
  public @Nullable Heap<B> heap() {
    return heap;
  }

  /**
   * Binds another object to a slot, or none until the block is released. Called by whoever has the
   * block in use, who thereby decides which object is handed out next for the slot.
   */
  public void rebind(int slot, @Nullable B block) {
    blocks[slot] = block;
    // Plain: the holder reads it after the release of the block, which publishes it.
  }

  /** Takes a free block; null if there is none. */
  @Nullable B pop() {
    int top = this.top - 1;
    if (top < 0) {
      return null;
    }
    this.top = top;
    allocations++;
    return blocks[free[top]];
  }

  /**
   * Takes a block back.
   *
   * @return the number of free blocks, this one included
   */
  int push(int slot) {
    int top = this.top;
    free[top] = (short) slot;
    return this.top = top + 1;
  }

  /**
   * Creates some of the blocks that were not needed yet, if there are any. If not even the first
   * can be created, throws what its creation threw; nothing has changed then.
   *
   * @throws OutOfMemoryError if there is no Java heap for the first
   */
  void extend(BlockFactory<B> factory) {
    int end = Math.min(capacity, created + Math.max(1, EXTEND_BYTES / blockBytes));
    int first = created;
    try {
      if (free.length < end) {
        free = Arrays.copyOf(free, Math.min(capacity, Math.max(end, 2 * free.length)));
      }
      while (created < end) {
        blocks[created] =
            factory.newBlock(this, created, memory, run.offset() + created * blockBytes);
        created++;
      }
    } catch (Throwable e) {
      if (created == first) {
        throw e;
      }
    }
    for (int slot = created - 1; slot >= first; slot--) {
      free[top] = (short) slot; // the first slot on top; without a call, as in reclaimChain()
      top++;
    }
  }

  /**
   * Moves deferred blocks to the free stack.
   *
   * <p>A block that is not "free, deferred" was released twice at the same time, by the holder and
   * by another thread. It may be in use again, so it is left alone. The second push of its slot may
   * have cut the chain, so the blocks behind it are looked up by their state. What is read there of
   * a block in use may be stale, so each block is asked whether it still has the slot.
   *
   * @return false if a block had been released twice
   */
  boolean collect() {
    if (chain == DeferredList.NONE) {
      chain = (short) deferred.takeAll();
      if (chain == DeferredList.NONE) {
        return true;
      }
    }
    boolean complete = reclaimChain();
    if (findStolen()) { // by a thread that did not expect these blocks to be reclaimed
      top = 0;
      return false;
    }
    return complete;
  }

  private boolean reclaimChain() {
    short[] free = this.free;
    int top = this.top;
    int slot = chain;
    boolean complete = true;
    try {
      while (slot != DeferredList.NONE) {
        int next = deferred.next(slot);
        complete = reclaim(slot);
        if (!complete) {
          break;
        }
        free[top++] = (short) slot; // no call from here on, which might fail
        slot = next;
      }
    } finally {
      this.top = top;
      chain = (short) (complete ? slot : DeferredList.NONE);
    }
    if (!complete) {
      reclaimByState();
    }
    return complete;
  }

  /**
   * Returns whether collecting, queueing or retiring the page was cut short, for example by the end
   * of the stack. If so, perhaps nobody will post the page although it was asked for: no other
   * thread may have a block of it.
   */
  boolean wasCutShort() {
    return chain != DeferredList.NONE || (hasFree() && !isQueued()) || (isEmpty() && !retired);
  }

  private void reclaimByState() {
    // This may take a block whose release is under way, before it is pushed. Its push then delivers
    // a block in another state, which ends here again.
    for (int slot = 0; slot < created; slot++) {
      if (reclaim(slot)) {
        push(slot);
      }
    }
  }

  private boolean reclaim(int slot) {
    B block = blocks[slot];
    return block != null && block.reclaim(this, slot);
  }

  /** Gives the page its number. {@link PageQueues#enqueue} must follow. */
  void enterHeap(int number) {
    assert isGone();
    this.number = number;
  }

  /** Moves to gone. The caller is about to give the slices back, unless the page was stolen. */
  void leaveHeap() {
    assert (isEmpty() && !retired) || foundStolen;
    number = NO_PAGE;
  }

  void enterRetired() {
    assert !retired && !isGone();
    retired = true;
  }

  void leaveRetired() {
    assert retired;
    nextRetired = null;
    retired = false;
  }

  /**
   * Asks for the page to be posted after the next deferred block, unless an earlier question is
   * still unanswered.
   *
   * @return false if blocks were deferred in the meantime: nobody will post the page
   */
  boolean ask() {
    if (unposted) { // no answer will come
      unposted = false;
      asked = false;
    }
    if (!asked) {
      asked = deferred.isAsked() || deferred.ask();
    }
    return asked;
  }

  /**
   * Marks the question as answered: the page was taken out of the mailbox, and may be asked for
   * again.
   *
   * @return the next page that was taken out with it; null if this one is the last
   */
  @Nullable Page<B> answered() {
    Page<B> next = nextInMailbox; // before anybody may post the page again
    nextInMailbox = null;
    asked = false;
    return next;
  }

  /** Returns whether all blocks that the page has room for are deferred. Any thread. */
  boolean isWhollyDeferred() {
    return deferred.stampIfFull() != DeferredList.NOT_FULL;
  }

  /**
   * Takes the page away from its heap if all its blocks are deferred. Any thread. The caller then
   * has the page's run, and must release it.
   *
   * <p>The count of deferred slots proves that no block is in use or on the free stack, unless a
   * block was released twice at the same time. So each block's state is checked too: before, and
   * again afterwards, in case the holder was still reclaiming. See D4 in {@code
   * docs/synchronization.md}.
   */
  boolean steal() {
    long stamp = deferred.stampIfFull();
    if (stamp == DeferredList.NOT_FULL || !areDeferred() || !deferred.steal(stamp)) {
      return false;
    }
    boolean stolen = areDeferred();
    if (!stolen) {
      deferred.restore(stamp);
    }
    return stolen;
  }

  private boolean areDeferred() {
    for (int slot = 0; slot < capacity; slot++) {
      B block = blocks[slot];
      if (block == null || !block.isDeferred(this, slot)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Gives the slices back. For whoever has the whole page. First, all blocks {@linkplain
   * Block#forgetMemory forget} memory that only a garbage collection frees.
   *
   * @return the number of blocks that forgot it
   */
  int giveBack() {
    try {
      return forgetMemory();
    } finally { // whatever was forgotten: nobody else has the slices
      run.release();
    }
  }

  private int forgetMemory() {
    if (!memory.isFreedByCollector()) {
      return 0;
    }
    for (int slot = 0; slot < created; slot++) {
      B block = blocks[slot];
      if (block != null) {
        block.forgetMemory();
      }
    }
    return created;
  }

  /** Has the block of a large page, whose slices were claimed again, recall its memory. */
  void recallMemory() {
    B block = blocks[0];
    if (block != null && memory.isFreedByCollector()) {
      block.recallMemory();
    }
  }

  /** Returns whether another thread has taken the page away. Any thread. */
  boolean isStolen() {
    return deferred.isStolen();
  }

  /**
   * Returns whether the holder has found the page stolen, now or before. Then the holder must drop
   * it, even if the thief takes the theft back in the meantime.
   */
  boolean findStolen() {
    if (!foundStolen) {
      foundStolen = isStolen();
    }
    return foundStolen;
  }

  /** Returns what {@link #findStolen} returned last. */
  boolean isFoundStolen() {
    return foundStolen;
  }

  boolean isQueued() {
    return next != NOT_QUEUED;
  }

  /** Returns whether the heap has forgotten the page. A late post may still name the page then. */
  boolean isGone() {
    return number == NO_PAGE;
  }

  boolean isRetired() {
    return retired;
  }

  boolean isUncollected() {
    return uncollected;
  }

  void uncollected(boolean uncollected) {
    this.uncollected = uncollected;
  }

  boolean isAsked() {
    return asked && !unposted;
  }

  int number() {
    return number;
  }

  boolean hasFree() {
    return top > 0;
  }

  /** Returns whether no block is in use. */
  boolean isEmpty() {
    return top == created;
  }

  /** Returns the bytes of the page's slices. Any thread. */
  int bytes() {
    return run.bytes();
  }

  /** Returns the number of blocks in use. Any thread: exact at rest, else a snapshot. */
  int liveBlocks() {
    return Math.max(0, created - top - deferred.count());
  }

  /**
   * Returns the number of blocks taken from here. Any thread: exact at rest, else never too high.
   */
  long allocations() {
    return allocations;
  }

  int created() {
    return created;
  }

  int top() {
    return top;
  }

  /** Returns the slot at an index of the free stack. For checks at rest. */
  int free(int index) {
    return free[index];
  }

  /** Returns the block of a slot below {@link #created()}; null while it is in use and unbound. */
  @Nullable B block(int slot) {
    return blocks[slot];
  }
}
