package io.github.mimalloc4j.core.heap;

import static io.github.mimalloc4j.core.memory.PoolInvariants.require;

import io.github.mimalloc4j.core.memory.PoolInvariants;
import java.util.BitSet;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** The invariants of a heap and its pages. They hold whenever no thread is inside the allocator. */
public final class HeapInvariants {

  private HeapInvariants() {}

  /**
   * Checks a heap and its pages.
   *
   * @param pool records the pages' runs
   * @throws AssertionError if an invariant does not hold
   */
  public static <B extends Block> void check(Heap<B> heap, PoolInvariants pool) {
    PageTable<B> table = heap.pages().table();
    int pages = 0;
    long bytes = 0;
    long uncollectedBytes = 0;
    for (int number = 0; number < table.pages().length; number++) {
      Page<B> page = table.pages()[number];
      if (page != null) {
        require(page.number() == number, "a page has a wrong number");
        require(page.heap == heap, "a page is in the wrong heap");
        checkPage(page);
        if (!page.isStolen()) {
          pool.addRun(page.run);
        }
        pages++;
        bytes += page.bytes();
        uncollectedBytes += page.isUncollected() ? page.bytes() : 0;
      }
    }
    require(table.end() <= table.pages().length, "the last page is beyond the end");
    for (int number = table.end(); number < table.pages().length; number++) {
      require(table.pages()[number] == null, "a page is beyond the last one");
    }
    require(
        uncollectedBytes == heap.pages().uncollectedBytes(),
        "the bytes of uncollected pages are wrong");
    require(pages == table.count(), "the count of pages is wrong");
    require(bytes == table.bytes(), "the bytes of pages are wrong");
    int queued = 0;
    for (int bin = 0; bin < SizeClasses.count(); bin++) {
      queued += checkQueue(heap.pages(), bin);
    }
    for (Page<B> page : table.pages()) {
      queued -= page != null && page.isQueued() ? 1 : 0;
    }
    require(queued == 0, "a page is marked as queued and is not, or the reverse");
    checkRetired(heap.pages());
    Page<B> keptLarge = heap.pages().keptLarge().kept();
    if (keptLarge != null) {
      require(keptLarge.keeper == heap, "a large page is kept by the wrong heap");
      require(!heap.isAbandoned(), "an abandoned heap keeps a large page");
      pool.addRun(keptLarge.run);
    }
    checkMailbox(heap);
    Upkeep upkeep = heap.pages().upkeep();
    if (upkeep.isActive() && !upkeep.isRequested() && !upkeep.isContinued() && !isLeft(heap)) {
      checkNothingIsMissed(heap);
    }
  }

  /** Returns whether the owner must still do what its executor refused. */
  private static boolean isLeft(Heap<?> heap) {
    Upkeep upkeep = heap.pages().upkeep();
    boolean underWay = upkeep.isRefusing() && heap.pages().portionedTrim().isUnderWay();
    return upkeep.isRefused() || upkeep.isWanted() || underWay;
  }

  /** Checks a heap that nobody will look at before a page is posted. */
  private static <B extends Block> void checkNothingIsMissed(Heap<B> heap) {
    require(!heap.pages().portionedTrim().isUnderWay(), "nobody continues a trim");
    require(
        heap.pages().mailbox().isEmpty() && heap.pages().mail() == null,
        "mail waits in an idle heap");
    require(heap.pages().keptLarge().kept() == null, "a large page waits in an idle heap");
    for (Page<B> page : heap.pages().table().pages()) {
      if (page != null) {
        require(page.deferred.isAsked(), "a page of an idle heap was not asked for");
        require(!page.isEmpty(), "an empty page waits in an idle heap");
      }
    }
  }

  /** Checks a page on its own. */
  static <B extends Block> void checkPage(Page<B> page) {
    int top = page.top();
    int created = page.created();
    require(0 <= top && top <= created && created <= page.capacity, "top <= created <= capacity");
    require(page.capacity * (long) page.blockBytes <= page.bytes(), "blocks exceed their page");
    BitSet free = new BitSet();
    for (int i = 0; i < top; i++) {
      int slot = page.free(i);
      require(0 <= slot && slot < created, "a free slot is not among the created blocks");
      require(!free.get(slot), "a slot is free twice");
      free.set(slot);
    }
    for (int slot = free.nextSetBit(0); slot >= 0; slot = free.nextSetBit(slot + 1)) {
      require(page.block(slot) != null, "a free slot has no block");
    }
    require(top + page.deferred.count() <= created, "more blocks are free and deferred than exist");
    require(
        !page.isStolen() || page.deferred.count() == page.capacity,
        "a page was stolen that had a block in use");
    require(
        page.isQueued() || page.isGone() || !page.hasFree(),
        "a page with free blocks is in no queue");
    require(created == 0 || !page.isEmpty() || page.isRetired(), "an empty page is not retired");
  }

  private static <B extends Block> int checkQueue(HeapPages<B> pages, int bin) {
    PageQueues<B> queues = pages.queues();
    int count = 0;
    int previous = Page.NO_PAGE;
    @Nullable Page<B> page = queues.isEmpty(bin) ? null : queues.heads[bin];
    while (page != null) {
      require(page.bin == bin, "a page is in another bin's queue");
      require(page.isQueued(), "a page in a queue is not marked so");
      require(page.previous == previous, "a queue is linked differently in its two directions");
      require(++count <= pages.table().count(), "a queue is circular");
      previous = page.number();
      page = pages.table().page(page.next);
    }
    require(queues.tail(bin) == previous, "a queue does not end with its tail");
    return count;
  }

  private static <B extends Block> void checkRetired(HeapPages<B> pages) {
    int count = 0;
    int retired = 0;
    long bytes = 0;
    for (Page<B> page = pages.retired().peek(); page != null; page = page.nextRetired) {
      require(page.isRetired(), "a retired page is not marked so");
      require(!page.isGone() || page.isFoundStolen(), "a retired page is gone and was not stolen");
      require(++count <= pages.retired().count(), "the list of retired pages is circular");
      retired += page.isGone() ? 0 : 1;
      bytes += page.bytes();
    }
    require(count == pages.retired().count(), "the count of retired pages is wrong");
    require(bytes == pages.retired().bytes(), "the bytes of retired pages are wrong");
    for (Page<B> page : pages.table().pages()) {
      retired -= page != null && page.isRetired() ? 1 : 0;
    }
    require(retired == 0, "a page is marked as retired and is not");
  }

  private static <B extends Block> void checkMailbox(Heap<B> heap) {
    IdentityHashMap<Page<B>, Boolean> posted = new IdentityHashMap<>();
    addPosted(posted, heap, heap.pages().mailbox().peek());
    addPosted(posted, heap, heap.pages().mail());
    require(
        heap.pages().mail() == null || !heap.isAbandoned(), "mail was taken that nobody looks at");
    for (Page<B> page : heap.pages().table().pages()) {
      if (page == null) {
        continue;
      }
      require(
          page.isAsked() == (page.deferred.isAsked() || posted.containsKey(page)),
          "a question is neither open nor answered, or was never asked");
      require(page.isQueued() || page.isAsked(), "an exhausted page was not asked for");
      if (heap.isAbandoned()) {
        require(
            page.deferred.isAsked() && !page.isEmpty(),
            "a page of an abandoned heap is empty or was not asked for");
      }
    }
  }

  private static <B extends Block> void addPosted(
      IdentityHashMap<Page<B>, Boolean> posted, Heap<B> heap, @Nullable Page<B> first) {
    for (Page<B> page = first; page != null; page = page.nextInMailbox) {
      require(page.heap == heap, "a page is in another heap's mailbox");
      require(page.isAsked(), "a page was posted that nobody asked for");
      require(posted.put(page, true) == null, "a page is in the mailbox twice");
    }
  }
}
