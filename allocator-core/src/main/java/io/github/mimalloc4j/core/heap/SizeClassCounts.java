package io.github.mimalloc4j.core.heap;

/**
 * The pages of heaps and their blocks, summed by size class. Takes no lock and delays no other
 * thread. Exact at rest, else an estimate.
 */
public final class SizeClassCounts {

  private final int[] pages = new int[SizeClasses.count()];
  private final long[] pageBytes = new long[SizeClasses.count()];
  private final long[] liveBlocks = new long[SizeClasses.count()];
  private final long[] blocks = new long[SizeClasses.count()];

  /** Adds the pages of a heap. Any thread. */
  public <B extends Block> void add(Heap<B> heap) {
    for (Page<B> page : heap.pages().table().pages()) {
      if (page != null && !page.isStolen()) {
        pages[page.bin]++;
        pageBytes[page.bin] += page.bytes();
        liveBlocks[page.bin] += page.liveBlocks();
        blocks[page.bin] += page.capacity;
      }
    }
  }

  public int pages(int bin) {
    return pages[bin];
  }

  public long pageBytes(int bin) {
    return pageBytes[bin];
  }

  public long liveBlocks(int bin) {
    return liveBlocks[bin];
  }

  /** Returns the number of other blocks, including those that were never used. */
  public long freeBlocks(int bin) {
    return blocks[bin] - liveBlocks[bin];
  }
}
