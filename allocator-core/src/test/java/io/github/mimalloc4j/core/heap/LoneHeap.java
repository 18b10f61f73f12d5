package io.github.mimalloc4j.core.heap;

import io.github.mimalloc4j.core.memory.SegmentPool;

/** What a heap needs that a race has to itself: there are no others, and no upkeep of them. */
final class LoneHeap {

  private LoneHeap() {}

  /**
   * Returns resources.
   *
   * @param trimDelayMillis 0 if the heap is never trimmed
   * @param trimPortion how much work a trim does before others get their turn
   */
  static <B extends Block> HeapResources<B> resources(
      SegmentPool pool, BlockFactory<B> factory, long trimDelayMillis, int trimPortion) {
    PageStealer stealer = stealer();
    return new HeapResources<>(
        pool,
        new LargePages<>(pool, factory, stealer),
        factory,
        stealer,
        new NoOthers(),
        trimDelayMillis,
        trimPortion,
        Upkeep.NONE);
  }

  private static final class NoOthers implements HeapEnvironment {

    @Override
    public void makeRoom() {}

    @Override
    public boolean trimForRetry() {
      return true;
    }

    @Override
    public void doubleReleaseCaught() {}

    @Override
    public void requireOpen() {}
  }

  /** Returns a stealer that finds no heaps. */
  static PageStealer stealer() {
    return new PageStealer(() -> new Heap<?>[0], () -> new Heap<?>[0]);
  }
}
