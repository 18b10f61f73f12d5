package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;

/**
 * The pages that one thread at a time allocates from.
 *
 * <p>Who that thread is, {@link HeapOwnership} decides; what becomes of pages, this.
 *
 * <p>Blocks that the holder does not release itself go to the {@linkplain DeferredList deferred
 * list} of their page. The holder collects it when it finds the page exhausted or, if nothing is
 * there then, when the {@link Mailbox} tells it to. Of a heap without an owner, every page with
 * live blocks is asked for in this way, and who posts a page helps to empty the mailbox: so the
 * release of the last block of a page gives its slices back although nobody allocates from it.
 *
 * <p>Methods that are not for the holder alone say so.
 *
 * @param <B> the type of the blocks
 */
public final class Heap<B extends Block> extends HeapOwnership<B> {

  /**
   * Bytes of empty pages that every heap may keep while it is in use; no page is larger. Beyond
   * them it may keep one part in {@link #RETIRED_SHARE} of its bytes.
   */
  static final int RETIRED_BYTES = 2 * 1024 * 1024;

  private static final int RETIRED_SHARE = 32;

  /** Of retired pages, how many are looked at when another one is too many. */
  private static final int SIFTED_PAGES = 8;

  /**
   * Up to so many bytes of pages, a heap that keeps giving pages back to make room for others gets
   * another segment instead: it has too little for what it does, and would make all blocks anew
   * again and again.
   */
  private static final int SMALL_BYTES = 1024 * 1024;

  /** How many pages make room for others, between two trims, before that is too often. */
  private static final int MOST_MADE_ROOM = 64;

  private final HeapResources<B> resources;
  private final PageQueues<B> queues;

  /** {@link PageQueues#heads}, one load nearer to the fast path. */
  private final Page<B>[] heads;

  private final RetiredPages<B> retired = new RetiredPages<>();
  private final HeapCounters counters = new HeapCounters();

  /** How many retired pages were given back since the last trim to make room for others. */
  private int madeRoom;

  private Heap(HeapResources<B> resources, Page<B> none) {
    super(resources.trimDelayMillis(), resources.upkeep());
    this.resources = resources;
    queues = new PageQueues<>(SizeClasses.count(), none);
    heads = queues.heads;
  }

  /** Makes a heap that a thread owns, which the executor's tasks run on. */
  public static <B extends Block> Heap<B> owned(
      HeapResources<B> resources, Page<B> none, Thread owner, UpkeepExecutor executor) {
    Heap<B> heap = new Heap<>(resources, none);
    boolean adopted = heap.adopt(owner, executor);
    assert adopted : "nobody else knows it";
    return heap;
  }

  /** Makes a heap that threads share under its lock. */
  public static <B extends Block> Heap<B> shared(HeapResources<B> resources, Page<B> none) {
    Heap<B> heap = new Heap<>(resources, none);
    heap.share();
    return heap;
  }

  /**
   * Takes a block.
   *
   * @param bytes what it has to hold, 0 or more
   * @throws OutOfMemoryError if there is no memory, native or for the Java objects, even after
   *     everything within reach was trimmed; nothing is lost then
   */
  public B allocate(int bytes) {
    int bin = SizeClasses.fineBin(bytes);
    if (bin == SizeClasses.NO_BIN) {
      return allocateCoarse(bytes);
    }
    B block = heads[bin].pop();
    return block != null ? block : refill(bin);
  }

  /** Takes back a block that is "free" by now. The owner only. */
  public void release(Page<B> page, int slot) {
    assert isOwner(Thread.currentThread()) && page.heap == this;
    int free = page.push(slot);
    if (free == 1 || free == page.created()) {
      regained(page);
    }
  }

  /** Takes back a block that is "free, deferred" by now. Any thread. */
  public static <B extends Block> void releaseDeferred(Page<B> page, int slot) {
    Heap<B> heap = page.heap;
    if (heap == null) {
      LargePages.release(page);
    } else if (page.deferred.push(slot)) {
      heap.tell(page);
    }
  }

  /**
   * Collects all deferred blocks, gives all empty pages back, and asks for all others: so the next
   * block that another thread releases is a reason for upkeep again.
   *
   * @return the bytes given back to the segments
   */
  @Override
  public long trim() {
    madeRoom = 0;
    takeMail();
    for (Page<B> page : queues.pages()) {
      if (page != null && !page.asked) { // of the others the mailbox will tell
        settle(page, true);
      }
    }
    return giveBackRetired();
  }

  @Override
  boolean hasPages() {
    return queues.pageCount() > 0;
  }

  /** The bytes of all pages. Any thread: exact at rest, else a snapshot. */
  public long pageBytes() {
    return queues.bytes();
  }

  /** The bytes of all blocks in use. Any thread: exact at rest, else a snapshot. */
  public long liveBytes() {
    return queues.liveBytes();
  }

  /** What happened here. Any thread: exact at rest, else never too much (N1). */
  public HeapCounts counts() {
    HeapCounts counts = counters.readAcquire();
    return counts.plus(new HeapCounts(queues.allocations(), 0, 0));
  }

  PageQueues<B> queues() {
    return queues;
  }

  private B allocateCoarse(int bytes) {
    if (bytes > SizeClasses.MAX_BLOCK_BYTES) {
      return allocateLarge(bytes);
    }
    int bin = SizeClasses.bin(bytes);
    B block = heads[bin].pop();
    return block != null ? block : refill(bin);
  }

  /** Takes a block where the page at the head of the queue has none on its stack. */
  private B refill(int bin) {
    takeMail();
    while (true) {
      if (queues.isEmpty(bin)) {
        addPage(bin);
      }
      Page<B> page = heads[bin];
      B block = page.pop();
      if (block != null) {
        return block;
      }
      if (!page.hasFree() && !replenish(page)) {
        page.ask();
        if (page.asked) { // else blocks were deferred in the meantime
          queues.dequeue(page);
        }
      }
    }
  }

  /** Returns whether an exhausted page has got a free block. */
  private boolean replenish(Page<B> page) {
    collect(page);
    if (!page.hasFree() && page.created() < page.capacity) {
      page.extend(resources.factory());
    }
    return page.hasFree();
  }

  private void addPage(int bin) {
    boolean first = !queues.hasPages(bin);
    int blockBytes = SizeClasses.blockBytes(bin);
    Run run = claim(first ? SizeClasses.firstPageSlices(bin) : SizeClasses.pageSlices(bin));
    Page<B> page;
    try {
      page = new Page<>(this, run, bin, blockBytes, run.bytes() / blockBytes);
      page.extend(resources.factory());
      // Not before the claim: a memory source may run code that releases or allocates buffers.
      queues.reserve();
    } catch (OutOfMemoryError e) {
      run.release();
      throw e;
    }
    queues.add(page);
    upkeep().request();
  }

  private Run claim(int slices) {
    SegmentPool pool = resources.pool();
    Run run = pool.claimExisting(slices);
    while (run == null && !isShortOfRoom() && giveBackOldest()) {
      madeRoom++;
      run = pool.claimExisting(slices);
    }
    if (run != null) {
      return run;
    }
    try {
      return pool.claim(slices);
    } catch (OutOfMemoryError e) {
      relieve();
      return pool.claim(slices);
    }
  }

  private boolean isShortOfRoom() {
    return madeRoom >= MOST_MADE_ROOM && queues.bytes() < SMALL_BYTES;
  }

  private B allocateLarge(int bytes) {
    try {
      return resources.large().allocate(bytes);
    } catch (OutOfMemoryError e) {
      relieve();
      return resources.large().allocate(bytes);
    }
  }

  private void relieve() {
    trim();
    resources.relief().run();
  }

  /** Collects a page's deferred blocks. */
  private void collect(Page<B> page) {
    int free = page.top();
    if (!page.collect()) {
      resources.listener().doubleReleaseCaught();
    }
    if (page.top() > free) {
      counters.collected(page.top() - free);
    }
    if (page.hasFree()) {
      regained(page);
    }
  }

  /** Acts on a page that has a free block again, or no other one. */
  private void regained(Page<B> page) {
    if (!page.queued) {
      queues.enqueue(page);
    }
    if (page.isEmpty() && !page.retired) {
      retire(page);
    }
  }

  /** Keeps an empty page that the caller is still at work on. It is not given back here. */
  private void retire(Page<B> page) {
    upkeep().request();
    long kept = Math.max(RETIRED_BYTES, queues.bytes() / RETIRED_SHARE);
    if (retired.bytes() + page.bytes() > kept) {
      retired.sift(SIFTED_PAGES);
    }
    retired.add(page); // the last, and no page is larger than what is kept
    while (retired.bytes() > kept) {
      giveBackOldest();
    }
    assert page.retired;
  }

  private long giveBackRetired() {
    long before = queues.bytes();
    while (retired.bytes() > 0) {
      giveBackOldest();
    }
    return before - queues.bytes();
  }

  /** Gives back the page that was retired first, unless it is in use again; false if none is. */
  private boolean giveBackOldest() {
    Page<B> page = retired.poll();
    if (page == null) {
      return false;
    }
    if (page.isEmpty()) {
      queues.remove(page);
      counters.pageGone(page);
      page.run.release();
    }
    return true;
  }

  @Override
  void takeMail() {
    if (mailbox().isEmpty()) {
      return;
    }
    boolean abandoned = isAbandoned();
    Page<B> next;
    for (Page<B> page = mailbox().takeAll(); page != null; page = next) {
      next = page.nextInMailbox; // before anybody may post the page again
      page.nextInMailbox = null;
      page.asked = false;
      if (!page.gone) {
        settle(page, abandoned);
      }
    }
    if (abandoned) {
      giveBackRetired();
    }
  }

  /**
   * Collects a page and sees to it that its next deferred block will not be missed: an exhausted
   * page is asked for. One that is in a queue will be come across, if not by an allocation then by
   * upkeep; where neither may be, it is asked for too, unless it is empty: then it is retired and
   * about to be given back.
   */
  private void settle(Page<B> page, boolean nobodyComes) {
    do {
      collect(page);
      if (nobodyComes ? page.isEmpty() : page.queued) {
        return;
      }
      page.ask();
    } while (!page.asked); // blocks were deferred in the meantime
  }
}
