package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentPool;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap, and what becomes of them: they are added when a bin has nothing left,
 * collected, kept for a while when they are empty, and given back.
 *
 * <p>Blocks that the holder does not release itself are on the {@linkplain DeferredList deferred
 * list} of their page. The holder collects it when it finds the page exhausted or, if nothing is
 * there then, when the page comes out of the {@link Mailbox}. Of a heap without an owner, every
 * page with live blocks is asked for in this way.
 *
 * <p>For the holder of the heap alone, but for the mailbox, the upkeep and the figures.
 */
final class HeapPages<B extends Block> {

  /**
   * How many retired pages at most make room for a page that is wanted, for each costs a search. If
   * that was not enough they were small or far apart; the next page that is wanted finds them gone.
   */
  private static final int MOST_LOOKS_FOR_ROOM = 8;

  /** The work of giving a page back; see {@link HeapResources#trimPortion}. */
  private static final int GIVE_BACK_WORK = 16;

  /** What the pages name as theirs. Nothing of it is called here. */
  private final Heap<B> heap;

  private final HeapResources<B> resources;
  private final Mailbox<B> mailbox = new Mailbox<>();
  private final PageQueues<B> queues;
  private final RetiredPages<B> retired = new RetiredPages<>();
  private final HeapCounters counters = new HeapCounters();

  /**
   * Trims the heap when nobody calls it any more. Requested whenever a page was added, became empty
   * or was posted. Set under the heap's lock.
   */
  private volatile Upkeep upkeep = Upkeep.NONE;

  /** Pages that were taken out of the mailbox and are still to be looked at. */
  private @Nullable Page<B> mail;

  /** Whether a trim in portions has begun and not come to its end. */
  private boolean trimming;

  /** Whether another trim has to follow it. */
  private boolean trimAgain;

  /** The trim is still to look at the pages with numbers below. */
  private int pagesToTrim;

  /** How many of the oldest retired pages the trim is then to give back. */
  private int retiredToTrim;

  /** What was done since the portion began. */
  private int work;

  HeapPages(Heap<B> heap, HeapResources<B> resources) {
    this.heap = heap;
    this.resources = resources;
    queues = new PageQueues<>(SizeClasses.count(), resources.none());
  }

  /** Pages that others have posted. Any thread posts. */
  Mailbox<B> mailbox() {
    return mailbox;
  }

  /** Any thread. */
  Upkeep upkeep() {
    return upkeep;
  }

  void upkeep(Upkeep upkeep) {
    this.upkeep = upkeep;
  }

  PageQueues<B> queues() {
    return queues;
  }

  RetiredPages<B> retired() {
    return retired;
  }

  /** What happened here. Any thread: exact at rest, else never too much (N1). */
  HeapCounts counts() {
    HeapCounts counts = counters.readAcquire();
    return counts.plus(new HeapCounts(queues.allocations(), 0, 0));
  }

  /** Takes a block where the page at the head of the queue has none on its stack. */
  B refill(int bin) {
    keepUpIfDue();
    while (true) {
      B block = refillFromPages(bin);
      if (block != null) {
        return block;
      }
      addPage(bin);
    }
  }

  /**
   * Does a portion of what the owner's executor refuses to run, and of what is left of it. Of a
   * shared heap nothing is ever due.
   */
  private void keepUpIfDue() {
    Upkeep upkeep = this.upkeep;
    if (upkeep.takeDue()) {
      beginTrim();
      trimPortion();
    } else if (trimming && upkeep.isRefusing()) {
      trimPortion();
    }
  }

  /** As {@link #refill}, from the pages that are there; null if they have no block left. */
  @Nullable B refillFromPages(int bin) {
    drain(false);
    while (!queues.isEmpty(bin)) {
      Page<B> page = queues.heads[bin];
      B block = page.pop();
      if (block != null) {
        return block;
      }
      if (!page.hasFree() && !replenish(page)) {
        if (page.ask()) { // else blocks were deferred in the meantime
          queues.dequeue(page);
        }
      }
    }
    return null;
  }

  /** Takes a block that shares no page. */
  B allocateLarge(int bytes) {
    try {
      return resources.large().allocate(bytes);
    } catch (OutOfMemoryError e) {
      trimAll();
      return resources.large().allocate(bytes);
    }
  }

  /** Acts on a page that has a free block again, or no other one. */
  void regained(Page<B> page) {
    if (!page.isQueued()) {
      queues.enqueue(page);
    }
    if (page.isEmpty() && !page.isRetired()) {
      retire(page);
    }
  }

  /**
   * Begins a {@link #trim} in portions. If one is under way, another one will follow it: who asks
   * for a trim relies on one that begins afterwards. (To begin anew at once would not do: of a heap
   * in which much happens, the last pages would never be looked at.) See H8 in {@code
   * docs/synchronization.md}.
   */
  void beginTrim() {
    if (trimming) {
      trimAgain = true;
      return;
    }
    trimming = true;
    retired.trimmed();
    mail = mailbox.takeAll();
    pagesToTrim = queues.pages().length;
  }

  /**
   * Does a portion of the trim that has begun. Between two portions the holder may do anything.
   *
   * @return whether the trim, and those that had to follow, have come to their end
   */
  boolean trimPortion() {
    for (work = 0; trimming && work < resources.trimPortion(); work++) {
      trimNext();
    }
    return !trimming;
  }

  /** Whether a trim in portions has begun and not come to its end. */
  boolean isTrimming() {
    return trimming;
  }

  /** What the trim in portions has still to look at. For tests. */
  int pagesToTrim() {
    return pagesToTrim;
  }

  private void trimNext() {
    if (mail != null) {
      lookAtMail(true);
    } else if (pagesToTrim > 0) {
      lookAt(queues.pages()[--pagesToTrim]);
      retiredToTrim = retired.count();
    } else if (retiredToTrim > 0) {
      retiredToTrim--;
      Page<B> oldest = retired.poll(); // null if the holder has given them back meanwhile
      if (oldest != null && !giveBack(oldest)) {
        lookAt(oldest); // it was empty when the trim came to it, and nobody asked since
      }
    } else {
      trimming = false;
      if (trimAgain) {
        trimAgain = false;
        beginTrim();
      }
    }
  }

  /** Collects a page and asks for it, unless it is asked for: then it is or will be posted. */
  private void lookAt(@Nullable Page<B> page) {
    if (page != null && !page.isAsked()) {
      collectAndAsk(page, true);
    }
  }

  /**
   * Collects all deferred blocks, gives all empty pages back, and asks for all others: so the next
   * block that another thread releases is a reason for upkeep again. A trim in portions that is
   * under way comes to its end.
   *
   * @return the bytes given back to the segments
   */
  long trim() {
    retired.trimmed();
    drain(true);
    for (Page<B> page : queues.pages()) {
      lookAt(page);
    }
    trimming = false;
    trimAgain = false;
    return giveBackRetired(0);
  }

  /**
   * Collects the pages that were posted.
   *
   * @param nobodyComes whether nobody will allocate or trim here before a page is posted again;
   *     then empty pages are given back at once
   */
  void drain(boolean nobodyComes) {
    if (mail == null && mailbox.isEmpty()) {
      return;
    }
    while (mail != null) { // which a trim in portions has left
      lookAtMail(nobodyComes);
    }
    mail = mailbox.takeAll();
    while (mail != null) {
      lookAtMail(nobodyComes);
    }
    if (nobodyComes) {
      giveBackRetired(0);
    }
  }

  private void lookAtMail(boolean nobodyComes) {
    Page<B> page = requireNonNull(mail);
    mail = page.answered();
    if (!page.isGone()) {
      collectAndAsk(page, nobodyComes);
    }
  }

  /** The first of the pages that were taken out of the mailbox. For checks at rest. */
  @Nullable Page<B> mail() {
    return mail;
  }

  /**
   * Collects a page and sees to it that its next deferred block will not be missed: an exhausted
   * page is asked for. One that is in a queue will be come across, if not by an allocation then by
   * upkeep; where neither may be, it is asked for too, unless it is empty: then it is retired and
   * about to be given back.
   */
  private void collectAndAsk(Page<B> page, boolean nobodyComes) {
    do {
      collect(page);
      if (nobodyComes ? page.isEmpty() : page.isQueued()) {
        return;
      }
    } while (!page.ask()); // blocks were deferred in the meantime
  }

  /** Collects a page's deferred blocks. */
  private void collect(Page<B> page) {
    int free = page.top();
    if (!page.collect()) {
      resources.listener().doubleReleaseCaught();
    }
    int collected = page.top() - free;
    if (collected > 0) {
      counters.collected(collected);
      work += collected;
    }
    if (page.hasFree()) {
      regained(page);
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

  /** Adds a page to a bin whose queue is empty, unless blocks come back to it instead. */
  private void addPage(int bin) {
    boolean first = !queues.hasPages(bin);
    int blockBytes = SizeClasses.blockBytes(bin);
    Run run = claim(bin, first ? SizeClasses.firstPageSlices(bin) : SizeClasses.pageSlices(bin));
    if (run == null) {
      return; // the bin has got blocks back meanwhile
    }
    Page<B> page;
    try {
      page = new Page<>(heap, run, bin, blockBytes, run.bytes() / blockBytes);
      page.extend(resources.factory());
      // Not before the claim: a memory source may run code that releases or allocates buffers.
      queues.reserve();
    } catch (Throwable e) {
      run.release();
      throw e;
    }
    queues.add(page);
    upkeep.request();
  }

  /** Claims a run for a page; null if the bin has got blocks back for want of memory. */
  private @Nullable Run claim(int bin, int slices) {
    SegmentPool pool = resources.pool();
    Run run = pool.claimExisting(slices);
    for (int looks = 0; run == null && looks < MOST_LOOKS_FOR_ROOM; looks++) {
      Page<B> oldest = retired.pollForRoom(queues.bytes());
      if (oldest == null) {
        break;
      }
      if (giveBack(oldest)) {
        run = pool.claimExisting(slices);
      }
    }
    if (run != null) {
      return run;
    }
    resources.makeRoom().run();
    try {
      return pool.claim(slices); // in a segment that is there, if there is room now
    } catch (OutOfMemoryError e) {
      trimAll();
      // What is queued now has a free block: others have released some.
      return queues.isEmpty(bin) ? pool.claim(slices) : null;
    }
  }

  private void trimAll() {
    trim();
    resources.trimOthers().run();
  }

  /** Keeps an empty page that the caller is still at work on. It is not given back here. */
  private void retire(Page<B> page) {
    upkeep.request();
    long limit = RetiredPages.limit(queues.bytes());
    retired.add(page, limit); // the last, and no page is larger than what is kept
    giveBackRetired(limit);
    assert page.isRetired();
  }

  /** Gives empty pages back, the oldest first, until those that are left have so many bytes. */
  private long giveBackRetired(long keptBytes) {
    long before = queues.bytes();
    while (retired.bytes() > keptBytes) {
      Page<B> oldest = retired.poll();
      assert oldest != null : "it has bytes";
      giveBack(oldest);
    }
    return before - queues.bytes();
  }

  /** Gives back a page that was retired; false if it is in use again. */
  private boolean giveBack(Page<B> page) {
    if (!page.isEmpty()) {
      return false;
    }
    work += GIVE_BACK_WORK;
    queues.remove(page);
    counters.pageGone(page);
    page.run.release();
    return true;
  }
}
