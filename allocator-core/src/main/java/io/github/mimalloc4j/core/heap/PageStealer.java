package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes pages whose blocks were all released by threads other than the holder, before the holder
 * has collected them. In a proxy, where one event loop releases what another one has read, each
 * loop thus uses what the other leaves idle instead of obtaining memory of its own. Also takes
 * large pages that heaps keep.
 *
 * <p>Any thread.
 */
public final class PageStealer {

  /**
   * The maximum number of pages and heaps looked at to steal one. Limited, because a heap may have
   * a million pages.
   */
  static final int MOST_LOOKS = 64;

  /** How many unused page numbers are as much work as one page that is looked at. */
  private static final int NUMBERS_PER_LOOK = 64;

  private final Supplier<? extends Heap<?>[]> owned;
  private final Supplier<? extends Heap<?>[]> shared;

  /** Where the next search begins: the index of a heap, and a page's number there. */
  private int nextHeap;

  private int nextPage;

  /** Where the next search for a kept large page begins: the index of a heap. */
  private int nextKept;

  /**
   * Creates a stealer.
   *
   * @param owned supplies heaps whose pages may be taken
   * @param shared supplies more of them
   */
  public PageStealer(Supplier<? extends Heap<?>[]> owned, Supplier<? extends Heap<?>[]> shared) {
    this.owned = owned;
    this.shared = shared;
  }

  /**
   * Takes a page and gives its slices back.
   *
   * @param slices the number of slices wanted; a page with that many is preferred
   * @param thoroughly whether to look at all pages, because memory has run out
   * @return false if none was found
   */
  boolean stealPage(int slices, boolean thoroughly) {
    Heap<?>[] owned = this.owned.get();
    Heap<?>[] shared = this.shared.get();
    int heaps = owned.length + shared.length;
    int next = nextHeap; // read once: others write it at any time
    int heap = next < heaps ? next : 0;
    int number = nextPage;
    boolean stolen = false;
    Page<?> smaller = null;
    long work = thoroughly ? Long.MAX_VALUE : MOST_LOOKS * NUMBERS_PER_LOOK;
    int heapsLeft = heaps == 0 ? 0 : heaps + 1; // the first one again: this began in its middle
    while (!stolen && work > 0 && heapsLeft > 0) {
      Heap<?> victim = heap < owned.length ? owned[heap] : shared[heap - owned.length];
      PageTable<?> table = victim.pages().table();
      @Nullable Page<?>[] pages = table.pages();
      if (number >= Math.min(table.end(), pages.length)) {
        heap = (heap + 1) % heaps;
        number = 0;
        heapsLeft--;
        work -= NUMBERS_PER_LOOK;
        continue;
      }
      Page<?> page = pages[number++];
      work -= page == null ? 1 : NUMBERS_PER_LOOK;
      if (page == null || !page.isWhollyDeferred()) {
        continue;
      }
      if (page.bytes() >= slices * Slices.BYTES) {
        stolen = steal(page);
      } else {
        smaller = page;
      }
    }
    nextHeap = heap;
    nextPage = number;
    return stolen || (smaller != null && steal(smaller));
  }

  /**
   * Takes a large page that a heap keeps, and gives its slices back.
   *
   * @param first the heap whose page goes first; null if there is none
   * @return false if none was found
   */
  boolean stealKeptLarge(@Nullable Heap<?> first) {
    if (first != null && first.giveBackKeptLarge()) {
      return true;
    }
    Heap<?>[] owned = this.owned.get(); // a shared heap keeps none
    int next = nextKept; // read once, as above
    int heap = next < owned.length ? next : 0;
    for (int looks = 0; looks < Math.min(owned.length, MOST_LOOKS); looks++) {
      boolean stolen = owned[heap].giveBackKeptLarge();
      heap = (heap + 1) % owned.length;
      nextKept = heap;
      if (stolen) {
        return true;
      }
    }
    return false;
  }

  private static boolean steal(Page<?> page) {
    boolean stolen = page.steal();
    if (stolen) {
      page.giveBack();
    }
    return stolen;
  }
}
