package io.github.mimalloc4j.core;

/** What the race sees of {@link LargePages} with room for one block and a half. */
public interface LargeBlock {

  /** Writes to the block and releases it. */
  void useAndRelease();

  /** Takes a block of the same size: whether it is the same one, or else has other slices. */
  boolean takeAnother();

  /** Whether the last use was over when the block was taken again. */
  boolean isUseOver();

  /** The real thing. */
  static LargeBlock real() {
    return new LargeBlock() {

      private static final int BYTES = 2 * SizeClasses.MAX_BLOCK_BYTES;

      private final SegmentPool pool =
          new SegmentPool(
              bytes -> () -> {},
              new MemoryPolicy(
                  new SegmentSizing(BYTES * 3 / 2, 2 * BYTES, 8), Long.MAX_VALUE, 0, 0),
              () -> {});
      private final LargePages<UsedBlock> large =
          new LargePages<>(pool, (page, slot, memory, offset) -> new UsedBlock(page));
      private final UsedBlock first = large.allocate(BYTES);
      private int seen;

      @Override
      public void useAndRelease() {
        first.uses++;
        LargePages.release(first.page);
      }

      @Override
      public boolean takeAnother() {
        UsedBlock block = large.allocate(BYTES);
        seen = block.uses;
        block.uses = 0;
        return block == first;
      }

      @Override
      public boolean isUseOver() {
        return seen == 1 && first.uses == 0;
      }
    };
  }

  /** Counts its uses in a plain field: the slices' bits are what orders them. */
  final class UsedBlock implements Block {

    private final Page<UsedBlock> page;
    private int uses;

    private UsedBlock(Page<UsedBlock> page) {
      this.page = page;
    }

    @Override
    public boolean reclaim() {
      throw new AssertionError("a large page has no owner to reclaim its block");
    }
  }
}
