package io.github.mimalloc4j.core.heap;

/**
 * The pages of heaps, added up by bin. It takes no lock, and nobody waits for it: exact at rest,
 * else an estimate.
 */
public final class PageCounts {

  private final int[] pages = new int[SizeClasses.count()];
  private final long[] pageBytes = new long[SizeClasses.count()];
  private final long[] liveBlocks = new long[SizeClasses.count()];
  private final long[] blocks = new long[SizeClasses.count()];

  /** Adds the pages of a heap. Any thread. */
  public <B extends Block> void add(Heap<B> heap) {
    for (Page<B> page : heap.pages().queues().pages()) {
      if (page != null) {
        pages[page.bin]++;
        pageBytes[page.bin] += page.bytes();
        liveBlocks[page.bin] += page.liveBlocks();
        blocks[page.bin] += page.capacity;
      }
    }
  }

  /** The number of pages. */
  public int pages(int bin) {
    return pages[bin];
  }

  /** The bytes of the pages. */
  public long pageBytes(int bin) {
    return pageBytes[bin];
  }

  /** The blocks in use. */
  public long liveBlocks(int bin) {
    return liveBlocks[bin];
  }

  /** The other blocks, those that were never used included. */
  public long freeBlocks(int bin) {
    return blocks[bin] - liveBlocks[bin];
  }
}
