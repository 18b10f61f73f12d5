package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.Slices;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes pages whose blocks were all released by other threads, and whose holders have not noticed
 * yet. In a proxy, where one event loop releases what another one has read, each loop thus uses
 * what the other leaves idle instead of obtaining memory of its own.
 *
 * <p>Any thread.
 */
public final class PageStealer {

  /** How many pages are looked at for one. Limited, because heaps may have a million. */
  static final int MOST_LOOKS = 256;

  private final Supplier<? extends Heap<?>[]> heaps;

  /** Where the next search begins: the index of a heap, and a page's number there. */
  private int nextHeap;

  private int nextPage;

  /**
   * Creates a stealer.
   *
   * @param heaps supplies the heaps whose pages may be taken
   */
  public PageStealer(Supplier<? extends Heap<?>[]> heaps) {
    this.heaps = heaps;
  }

  /**
   * Takes a page and gives its slices back.
   *
   * @param slices the number of slices wanted: a page with as many is preferred
   * @return false if none was found
   */
  boolean stealPage(int slices) {
    Heap<?>[] heaps = this.heaps.get();
    int heap = nextHeap < heaps.length ? nextHeap : 0;
    int number = nextPage;
    boolean stolen = false;
    Page<?> smaller = null;
    int ends = 0;
    int looks = 0;
    while (!stolen && looks < MOST_LOOKS && ends <= heaps.length && heaps.length > 0) {
      @Nullable Page<?>[] pages = heaps[heap].pages().queues().pages();
      if (number < pages.length) {
        Page<?> page = pages[number++];
        looks++;
        if (page != null && page.isWhollyDeferred()) {
          if (page.bytes() >= slices * Slices.BYTES) {
            stolen = steal(page);
          } else {
            smaller = page;
          }
        }
      } else {
        heap = (heap + 1) % heaps.length;
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
