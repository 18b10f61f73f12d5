package io.github.mimalloc4j.core.memory;

import org.jspecify.annotations.Nullable;

/** What the races see of a {@link Segment}'s bitmap, so that a broken one can take its place. */
public interface SliceMap {

  int NO_ROOM = -1;

  /** Returns the first slice claimed, or {@link #NO_ROOM}. */
  int claim(int slices);

  void release(int first, int slices);

  boolean claimWhole();

  /** How many slices are claimed by the bitmap. */
  int claimed();

  /** How many slices are free by the counter beside it. */
  int free();

  /** The real bitmap. */
  static SliceMap real(int slices) {
    @Nullable Run[] runs = new Run[slices];
    Segment segment = new Segment(() -> {}, slices * Slices.BYTES, slices, empty -> {});
    return new SliceMap() {
      @Override
      public int claim(int count) {
        Run run = segment.claim(count);
        if (run == null) {
          return NO_ROOM;
        }
        runs[run.first()] = run; // the slice is the claimer's, and so is this entry
        return run.first();
      }

      @Override
      public void release(int first, int count) {
        Run run = runs[first];
        assert run != null && run.slices() == count;
        segment.release(run);
      }

      @Override
      public boolean claimWhole() {
        return segment.claimWhole();
      }

      @Override
      public int claimed() {
        return segment.claimedSlices();
      }

      @Override
      public int free() {
        return segment.freeSlices();
      }
    };
  }
}
