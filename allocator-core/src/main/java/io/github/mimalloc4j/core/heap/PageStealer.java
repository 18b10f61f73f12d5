package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes pages whose blocks were all released by threads other than the holder, before the holder
 * has collected them. In a proxy, where one event loop releases what another one has read, each
 * loop thus uses what the other leaves idle instead of obtaining memory of its own.
 *
 * <p>Any thread.
 */
public final class PageStealer {

  /** How many pages are looked at for one. Limited, because a heap may have a million. */
  static final int MOST_LOOKS = 64;

  /** How many numbers of pages are looked up for one: most may be unused. */
  private static final int MOST_NUMBERS = 64 * MOST_LOOKS;

  private final Supplier<? extends Heap<?>[]> owned;
  private final Supplier<? extends Heap<?>[]> shared;

  /** Where the next search begins: the index of a heap, and a page's number there. */
  private int nextHeap;

  private int nextPage;

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
   * @param slices the number of slices wanted: a page with as many is preferred
   * @return false if none was found
   */
  boolean stealPage(int slices) {
    Heap<?>[] owned = this.owned.get();
    Heap<?>[] shared = this.shared.get();
    int heaps = owned.length + shared.length;
    int heap = nextHeap < heaps ? nextHeap : 0;
    int number = nextPage;
    boolean stolen = false;
    Page<?> smaller = null;
    int looks = 0;
    int numbers = 0;
    int ends = 0;
    while (!stolen && looks < MOST_LOOKS && numbers < MOST_NUMBERS && ends <= heaps && heaps > 0) {
      Heap<?> victim = heap < owned.length ? owned[heap] : shared[heap - owned.length];
      @Nullable Page<?>[] pages = victim.pages().queues().pages();
      if (number < pages.length) {
        Page<?> page = pages[number++];
        numbers++;
        if (page != null) {
          looks++;
          if (page.isWhollyDeferred()) {
            if (page.bytes() >= slices * Slices.BYTES) {
              stolen = steal(page);
            } else {
              smaller = page;
            }
          }
        }
      } else {
        heap = (heap + 1) % heaps;
        number = 0;
        ends++;
      }
    }
    nextHeap = heap;
    nextPage = number;
    return stolen || (smaller != null && steal(smaller));
  }

  private static boolean steal(Page<?> page) {
    boolean stolen = page.steal();
    if (stolen) {
      page.run.release();
    }
    return stolen;
  }
}
