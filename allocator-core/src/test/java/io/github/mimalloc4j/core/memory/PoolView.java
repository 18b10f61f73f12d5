package io.github.mimalloc4j.core.memory;

/** What the races see of a {@link SegmentPool} of which one run is claimed. */
public interface PoolView {

  /** Releases the run. */
  void release();

  void close();

  /** Whether all memory went back to its source. */
  boolean isNothingUsed();

  /** The real pool. */
  static PoolView real() {
    SegmentPool pool =
        new SegmentPool(bytes -> () -> {}, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
    Run run = pool.claim(1);
    return new PoolView() {
      @Override
      public void release() {
        run.release();
      }

      @Override
      public void close() {
        pool.close();
      }

      @Override
      public boolean isNothingUsed() {
        return pool.usedBytes() == 0;
      }
    };
  }
}
