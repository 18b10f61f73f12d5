package io.github.mimalloc4j.core.heap;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SearchBudget;
import io.github.mimalloc4j.core.memory.StackRoom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap and their life cycle. A page is added when its bin has nothing left,
 * collected, kept for a while when it is empty, and given back. {@link PageRoom} finds the slices
 * of a page that is added.
 *
 * <p>A block that the holder does not release itself goes to the {@linkplain DeferredList deferred
 * list} of its page. The holder collects that list when it finds the page exhausted or, if the list
 * is empty then, once the page has come out of the {@link Mailbox}. In an abandoned heap, every
 * page with live blocks is asked for in this way.
 *
 * <p>Holder of the heap only, except for the mailbox, the upkeep, the kept large page, the figures,
 * the search of {@link PageStealer}, and the guesses of {@link Heap#mayHave}.
 */
final class HeapPages<B extends Block> {

  /** How many portions of work an allocation spends to find a page among the posted ones. */
  private static final int MOST_PORTIONS_OF_MAIL = 16;

  /** The {@link #work} of giving a page back. */
  private static final int GIVE_BACK_WORK = 16;

  /**
   * How many searches of a shared heap's pages in a row find no block of a bin before the heap gets
   * another page, although other heaps have free blocks: some tenths of a millisecond of
   * allocations. With fewer misses, heaps in normal use would get pages.
   */
  private static final int MOST_MISSES = 2000;

  private static final Consumer<Upkeep> REQUEST = Upkeep::request;
  private static final Consumer<Upkeep> CONTINUE = Upkeep::continueSoon;

  /** The heap that the pages name as theirs. This class calls none of its methods. */
  private final Heap<B> heap;

  private final HeapResources<B> resources;
  private final Mailbox<B> mailbox = new Mailbox<>();
  private final PageTable<B> table;
  private final PageQueues<B> queues;
  private final RetiredPages<B> retired = new RetiredPages<>();
  private final KeptLargePage<B> keptLarge = new KeptLargePage<>();
  private final HeapCounters counters = new HeapCounters();
  private final PortionedTrim<B> portionedTrim;
  private final PageRoom<B> room;
  private final SearchBudget searchBudget = new SearchBudget();
  private final BooleanSupplier trimForRetry = this::trimForRetry;

  /**
   * Trims the heap when nobody calls it any more. Requested whenever a page was added, became
   * empty, was posted, or is a large one that is kept. Set under the heap's lock.
   */
  private volatile Upkeep upkeep = Upkeep.NONE;

  /** Pages that were taken out of the mailbox and not looked at yet. */
  private @Nullable Page<B> mail;

  /** How often in a row {@link #refillSparingly} has found no block, by bin. */
  private final short[] misses = new short[SizeClasses.count()];

  /** The bytes of the pages that are queued uncollected. */
  private long uncollectedBytes;

  /**
   * Whether no empty page is given back, however many there are, until all pages were looked at.
   * For where nobody else may look: giving one back may throw, for example in a listener.
   */
  private boolean keepsRetired;

  /** Whether an executor was called in the middle of an operation. */
  private boolean callsOut;

  /** The work done so far, in units of {@link HeapResources#trimPortion}. May wrap around. */
  private int work;

  HeapPages(Heap<B> heap, HeapResources<B> resources) {
    this.heap = heap;
    this.resources = resources;
    table = new PageTable<>(SizeClasses.count());
    queues = new PageQueues<>(SizeClasses.count(), table);
    portionedTrim = new PortionedTrim<>(this, resources.trimPortion());
    room = new PageRoom<>(this, resources);
  }

  /** Returns the pages that other threads have posted. Any thread posts. */
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

  PageTable<B> table() {
    return table;
  }

  PageQueues<B> queues() {
    return queues;
  }

  RetiredPages<B> retired() {
    return retired;
  }

  KeptLargePage<B> keptLarge() {
    return keptLarge;
  }

  PageRoom<B> room() {
    return room;
  }

  PortionedTrim<B> portionedTrim() {
    return portionedTrim;
  }

  /** Returns the bytes of all pages. Any thread: exact at rest, else a snapshot. */
  long bytes() {
    return table.ownBytes() + keptLarge.bytes();
  }

  /** Returns the heap's counts. Any thread: exact at rest, else never too high (N1). */
  HeapCounts counts() {
    HeapCounts counts = counters.readAcquire();
    return counts.plus(new HeapCounts(table.allocations(), 0, 0, 0));
  }

  /** Allocates a block when the page at the head of the queue has none on its stack. */
  B refill(int bin) {
    keepUpIfDue();
    while (true) {
      B block = refillExisting(bin);
      if (block != null) {
        return block;
      }
      try {
        addPage(bin);
      } catch (OutOfMemoryError e) {
        return refillAfter(e, bin);
      }
    }
  }

  /** Allocates from existing pages: others may have released some during the search for memory. */
  private B refillAfter(OutOfMemoryError noPage, int bin) {
    B block = null;
    try {
      block = refillExisting(bin);
    } catch (OutOfMemoryError e) { // no Java heap for a page's next blocks
      if (e != noPage) { // the JVM may throw the same error again
        noPage.addSuppressed(e);
      }
    }
    if (block == null) {
      throw noPage;
    }
    return block;
  }

  /**
   * Does a portion of the work that the owner's executor refuses to run, if some is due or left
   * over. Nothing is ever due in a shared heap.
   *
   * @throws IllegalStateException if work was due because the allocator was closed
   */
  private void keepUpIfDue() {
    Upkeep upkeep = this.upkeep;
    if (upkeep.takeDue()) {
      portionedTrim.begin();
    } else if (!portionedTrim.isUnderWay() || !upkeep.isRefusing()) {
      return;
    }
    if (!portionedTrim.doPortion() && !upkeep.isRefusing()) {
      callOut(CONTINUE); // it accepts again
    }
    purgeUnlessUpkeepWill();
    resources.environment().requireOpen(); // nobody else can tell the owner (C2)
  }

  /**
   * Allocates as {@link #refill} does, but from existing pages; null if they have no block left.
   */
  @Nullable B refillExisting(int bin) {
    Page<B> failed = null;
    drainPortion();
    do {
      while (!queues.isEmpty(bin)) {
        Page<B> page = queues.heads[bin];
        B block = page.pop();
        if (block != null) {
          return block;
        }
        collect(page);
        if (!page.hasFree() && page.created() < page.capacity) {
          failed = extend(page, failed);
        } else if (!page.hasFree() && page.isQueued() && page.ask()) { // else blocks were deferred
          queues.dequeue(page);
        }
      }
    } while (findInMail(bin));
    return null;
  }

  /**
   * Allocates as {@link #refill} does, but adds a page only if the bin has none or has missed too
   * often in a row. Otherwise null: the caller asks another heap. Threads that always did so would
   * contend for that heap with those that begin there.
   */
  @Nullable B refillSparingly(int bin) {
    if (table.bytes(bin) == 0 || misses[bin] == MOST_MISSES) {
      misses[bin] = 0;
      return refill(bin);
    }
    B block = refillExisting(bin);
    misses[bin] = (short) (block == null ? misses[bin] + 1 : 0);
    return block;
  }

  /** Allocates a block that shares no page. */
  B allocateLarge(int bytes) {
    Page<B> page = keptLarge.take(bytes);
    if (page == null) {
      return claimLarge(bytes);
    }
    try {
      counters.keptLargeTaken();
      return LargePages.block(page);
    } catch (Throwable e) { // the slices must not be lost, if there is the stack for that
      LargePages.giveBack(page);
      throw e;
    }
  }

  private B claimLarge(int bytes) {
    keepUpIfDue();
    return resources.large().allocate(bytes, heap, trimForRetry);
  }

  /** Keeps a large page of which the owner has released the block. */
  void keepLarge(Page<B> page) {
    Page<B> before = keptLarge.keep(page);
    try {
      callOut(REQUEST);
    } finally {
      LargePages.giveBack(before);
    }
  }

  /** Queues a page that has a free block again, and retires it if no block is in use. */
  void regained(Page<B> page) {
    if (page.isGone()) {
      return; // it was stolen while a block was in use, which had been released twice before
    }
    if (!page.isQueued()) {
      queues.enqueue(page);
    }
    if (page.isEmpty() && !page.isRetired()) {
      retire(page);
    }
  }

  /** Returns the work done so far; only differences have a meaning. For trims in portions. */
  int work() {
    return work;
  }

  /** Counts a step as work done. For trims in portions. */
  void worked() {
    work++;
  }

  /**
   * Collects a page and asks for it, unless it was asked for: then it is or will be posted, except
   * perhaps if work on it was cut short.
   */
  void lookAt(@Nullable Page<B> page) {
    if (page != null && (!page.isAsked() || page.wasCutShort())) {
      collectAndAsk(page, true);
    }
  }

  /**
   * Collects all deferred blocks, gives all empty pages back, and asks for all others, so that the
   * next block that another thread releases is a reason for upkeep again. Completes a trim in
   * portions that is under way.
   */
  void trim() {
    StackRoom.requireOwn();
    trimBegins();
    lookAtPosted(true);
    giveBackRetired();
    clearKeptLarge();
    portionedTrim.end(); // last: should this be cut short, a continuation goes on
  }

  /** Notes that a trim begins, for the rules on what happened since the last one. */
  void trimBegins() {
    retired.trimBegins();
    room.trimBegins();
  }

  /**
   * Looks at all posted pages where nobody may allocate or trim before a page is posted again:
   * collects them, asks for them, and gives back the empty ones at once.
   */
  void drain() {
    if (mail != null || !mailbox.isEmpty()) {
      lookAtPosted(false);
      giveBackRetired();
    }
  }

  /** Looks at all posted pages, where nobody else may, and then perhaps at all others. */
  private void lookAtPosted(boolean andOthers) {
    keepsRetired = true;
    try {
      while (mail != null) { // left by a portion, or by an error
        lookAtMail(true);
      }
      takeMail();
      while (mail != null) {
        lookAtMail(true);
      }
      for (int number = andOthers ? table.end() - 1 : Page.NO_PAGE; number >= 0; number--) {
        lookAt(table.pages()[number]);
      }
    } finally {
      keepsRetired = false;
    }
  }

  /**
   * Looks at a portion of the posted pages, and collects them or queues them to be collected in
   * their turn. The posters of the rest request upkeep.
   */
  void drainPortion() {
    if (mail == null && !mailbox.isEmpty()) {
      takeMail();
    }
    int begun = work;
    while (mail != null && work - begun < resources.trimPortion()) {
      lookAtMail(false);
      worked();
    }
  }

  /**
   * Looks for a page of the bin among the posted ones that were taken out, and queues it. Looks at
   * a limited number of them: there may be tens of thousands, and another page costs less.
   */
  private boolean findInMail(int bin) {
    int begun = work;
    while (mail != null
        && queues.isEmpty(bin)
        && table.bytes(bin) > 0
        && work - begun < MOST_PORTIONS_OF_MAIL * resources.trimPortion()) {
      lookAtMail(false);
      worked();
    }
    return !queues.isEmpty(bin);
  }

  /** Takes what is in the mailbox, after all that was taken before was looked at. */
  void takeMail() {
    mail = mailbox.takeAll();
  }

  /** Looks at the next page that was taken out of the mailbox: see {@link #drain}. */
  void lookAtMail(boolean nobodyComes) {
    Page<B> page = requireNonNull(mail);
    mail = page.answered();
    try {
      if (!page.isGone() && (nobodyComes || !leaveUncollected(page))) {
        collectAndAsk(page, nobodyComes);
      }
    } catch (Throwable e) { // without a call: nobody else would look at the page again
      page.asked = true;
      page.nextInMailbox = mail;
      mail = page;
      throw e;
    }
  }

  /**
   * Queues a page whose blocks are all deferred. It is not collected before its turn, so that until
   * then any thread can steal it. Returns false if there are enough of them: others are collected,
   * retired, and given back if they are too many.
   */
  private boolean leaveUncollected(Page<B> page) {
    if (!page.isWhollyDeferred()
        || uncollectedBytes + page.bytes() > RetiredPages.limit(table.bytes())) {
      return false;
    }
    if (!page.isUncollected()) {
      int bytes = page.bytes();
      page.uncollected(true); // the last call: the stack's end must not come between the changes
      uncollectedBytes += bytes;
    }
    if (!page.isQueued()) {
      queues.enqueue(page);
    }
    return true;
  }

  /** Returns the bytes of the pages that are queued uncollected. For checks at rest. */
  long uncollectedBytes() {
    return uncollectedBytes;
  }

  /** Returns the first page taken out of the mailbox and not looked at yet. Any thread: a hint. */
  @Nullable Page<B> mail() {
    return mail;
  }

  /**
   * Collects a page and makes sure that its next deferred block is not missed. An exhausted page is
   * asked for. A queued page will be found by an allocation or by upkeep. If neither may come, it
   * is asked for too, unless it is empty: then it is retired and about to be given back.
   */
  private void collectAndAsk(Page<B> page, boolean nobodyComes) {
    do {
      collect(page);
      if (page.isGone() || (nobodyComes ? page.isEmpty() : page.isQueued())) {
        return;
      }
    } while (!page.ask()); // blocks were deferred in the meantime
  }

  /**
   * Moves the deferred blocks to the page's free stack. If the page was stolen, it is gone then.
   */
  private void collect(Page<B> page) {
    if (page.isUncollected()) {
      int bytes = page.bytes();
      page.uncollected(false); // the last call, as in leaveUncollected()
      uncollectedBytes -= bytes;
    }
    int free = page.top();
    try {
      if (!page.collect()) {
        resources.environment().doubleReleaseCaught();
      }
    } finally { // also of a chain that was cut short
      int collected = page.top() - free;
      if (collected > 0) {
        counters.collected(collected);
        work += collected;
      }
    }
    if (page.hasFree()) {
      regained(page);
    } else if (page.findStolen()) {
      StackRoom.requireOwn(); // nobody would complete the removal
      remove(page);
      counters.collected(page.capacity);
    }
  }

  /**
   * Creates more blocks of a queued page. If there is no Java heap for them, all other queued pages
   * come before it, unless they did.
   *
   * @param failed the page that an earlier call of this search has returned; null in the first
   * @return the first page of this search without Java heap for its blocks; null if there is none
   */
  private @Nullable Page<B> extend(Page<B> page, @Nullable Page<B> failed) {
    try {
      page.extend(resources.factory());
      return failed;
    } catch (OutOfMemoryError e) {
      if (page == failed || page.number() == queues.tail(page.bin)) {
        throw e;
      }
    }
    StackRoom.requireOwn(); // the page must not be left out of the queue
    queues.dequeue(page);
    queues.enqueue(page);
    return failed != null && failed.isQueued() ? failed : page;
  }

  /** Adds a page to a bin whose queue is empty, unless the bin regains blocks meanwhile. */
  private void addPage(int bin) {
    StackRoom.requireOwn(); // nobody would know of the page's slices
    try {
      claimPage(bin);
    } finally { // even without a page: retired ones that are in use again may have been polled
      callOut(REQUEST);
    }
  }

  private void claimPage(int bin) {
    int blockBytes = SizeClasses.blockBytes(bin);
    Run run = room.claim(bin);
    if (run == null) {
      return; // the bin regained blocks meanwhile
    }
    Page<B> page;
    try {
      page = new Page<>(heap, run, bin, blockBytes, run.bytes() / blockBytes);
      page.extend(resources.factory());
      // Only after the claim: a memory source may run code that releases or allocates buffers.
      table.reserve();
    } catch (Throwable e) {
      run.release();
      throw e;
    }
    table.add(page);
    queues.enqueue(page);
  }

  /**
   * Trims this heap, and others as far as it may, because memory has run out. If its budget does
   * not allow that, this heap only gives back the pages that it knows to be empty.
   *
   * @return whether the budget of the others allows to steal all pages that can be stolen
   */
  boolean trimForRetry() {
    if (searchBudget.allows(table.count())) {
      trim();
    } else {
      giveBackRetired();
      clearKeptLarge();
    }
    return resources.environment().trimForRetry();
  }

  /** Retires an empty page that the caller is still working on. Does not give that page back. */
  private void retire(Page<B> page) {
    retired.add(page, table.bytes()); // as the newest, and no page is larger than what is kept
    try {
      while (!keepsRetired && retired.areTooMany(table.bytes())) {
        giveBackOldest();
      }
      assert page.isRetired();
    } finally {
      callOut(REQUEST); // last
    }
  }

  /** Makes a call that calls an executor, whose code may call anything, even this heap. */
  private void callOut(Consumer<Upkeep> call) {
    boolean before = callsOut;
    callsOut = true;
    try {
      call.accept(upkeep);
    } finally {
      callsOut = before;
    }
  }

  /** Does a portion of the owner's trim, in a task of its executor, and has the rest done soon. */
  void trimPortion() {
    if (!portionedTrim.doPortion()) {
      callOut(CONTINUE);
      if (!upkeep.isContinued()) {
        trim(); // at once: nobody else may do it
      }
    }
    purgeUnlessUpkeepWill();
  }

  /** Gives back the segments that the owner's trim has made free, if upkeep is off. */
  private void purgeUnlessUpkeepWill() {
    if (!upkeep.isActive()) {
      resources.pool().purge();
    }
  }

  /** Returns whether the caller is the code of an executor that was called from this heap. */
  boolean callsOut() {
    return callsOut;
  }

  /** Gives back all retired pages, the oldest first. */
  private void giveBackRetired() {
    while (retired.peek() != null) {
      trimOldestRetired();
    }
  }

  /**
   * Gives back the page that was retired first; there must be one. Returns false if it is in use
   * again, or was stolen: then it has only left the retired pages.
   */
  boolean giveBackOldest() {
    Page<B> oldest = pollRetired();
    assert oldest != null : "there are retired pages";
    return giveBack(oldest);
  }

  /**
   * Gives back the page that was retired first, if there still is one. If it is in use again, looks
   * at it instead: it may have been empty when a trim reached it, and not asked for since.
   */
  void trimOldestRetired() {
    Page<B> oldest = pollRetired();
    if (oldest != null && !giveBack(oldest) && !oldest.isGone()) {
      lookAt(oldest);
    }
  }

  /** Gives back the large page that is kept, and forgets it. */
  void clearKeptLarge() {
    work += LargePages.giveBack(keptLarge.clear()) ? GIVE_BACK_WORK : 0;
  }

  /** Does what {@link Heap#giveBackKeptLarge} says. */
  boolean giveBackKeptLarge() {
    return LargePages.giveBack(keptLarge.takeToGiveBack());
  }

  /**
   * Takes the page that was retired first, for {@link #giveBack}. If that were cut short, the page
   * would be neither retired nor gone.
   */
  private @Nullable Page<B> pollRetired() {
    StackRoom.requireOwn();
    return retired.poll();
  }

  /** Gives back a page that was retired; returns false if it is in use again, or was stolen. */
  private boolean giveBack(Page<B> page) {
    if (!page.isEmpty()) {
      return false;
    }
    work += GIVE_BACK_WORK;
    remove(page);
    work += page.giveBack();
    return true;
  }

  private void remove(Page<B> page) {
    if (page.isQueued()) {
      queues.dequeue(page);
    }
    table.remove(page);
    counters.pageGone(page);
  }
}
