package io.github.mimalloc4j.core.memory;

import io.github.mimalloc4j.core.ModelChecking;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slices are claimed and released as if they were counted, and no slice is in two runs. */
@Tag("model-checking")
class SegmentModelCheckingTest {

  private static final int SLICES = 2;

  @Test
  void countsItsSlices() {
    check(RealSegment.class);
  }

  @Test
  void runsAcrossWordsDoNotOverlap() {
    ModelChecking.checkAllSteps(RunsAcrossWords.class);
  }

  private static void check(Class<? extends Operations> segment) {
    ModelChecking.options().sequentialSpecification(Specification.class).check(segment);
  }

  private static Segment newSegment(int slices) {
    return new Segment(() -> {}, slices * Slices.BYTES, slices);
  }

  /** Two threads that claim and release a slice each, and one that wants all. */
  abstract static class Operations {

    private final boolean[] held = new boolean[2];

    abstract boolean claim(int who);

    abstract void release(int who);

    abstract boolean claimAll();

    @Operation(nonParallelGroup = "one")
    public boolean claimOne() {
      return claimUnlessHeld(0);
    }

    @Operation(nonParallelGroup = "one")
    public boolean releaseOne() {
      return releaseIfHeld(0);
    }

    @Operation(nonParallelGroup = "other")
    public boolean claimOther() {
      return claimUnlessHeld(1);
    }

    @Operation(nonParallelGroup = "other")
    public boolean releaseOther() {
      return releaseIfHeld(1);
    }

    @Operation(nonParallelGroup = "purger")
    public boolean claimWhole() {
      return claimAll();
    }

    private boolean claimUnlessHeld(int who) {
      return !held[who] && (held[who] = claim(who));
    }

    private boolean releaseIfHeld(int who) {
      boolean was = held[who];
      if (was) {
        held[who] = false;
        release(who);
      }
      return was;
    }
  }

  /** What it is to a single thread. */
  public static final class Specification extends Operations {

    private int free = SLICES;

    @Override
    boolean claim(int who) {
      return free > 0 && free-- > 0;
    }

    @Override
    void release(int who) {
      free++;
    }

    @Override
    boolean claimAll() {
      boolean all = free == SLICES;
      free = all ? 0 : free;
      return all;
    }
  }

  public static final class RealSegment extends Operations {

    private final Segment segment = newSegment(SLICES);
    private final @Nullable Run[] runs = new Run[2];

    @Override
    boolean claim(int who) {
      Run run = segment.claim(1);
      runs[who] = run;
      return run != null;
    }

    @Override
    void release(int who) {
      runs[who].release();
    }

    @Override
    boolean claimAll() {
      return segment.claimWhole();
    }
  }

  /** Two claimers, of which one may be in the other's way, and a release beside them. */
  public static final class RunsAcrossWords extends ModelChecking.Race {

    private static final int RUN = 80;

    private final Segment segment = newSegment(3 * Long.SIZE);
    private final Run old;
    private int ours;
    private int theirs;

    public RunsAcrossWords() {
      old = segment.claim(40);
    }

    @Override
    protected void doOurs() {
      ours = first(segment.claim(RUN));
    }

    @Override
    protected void doTheirs() {
      old.release();
      theirs = first(segment.claim(RUN));
    }

    @Override
    public void atRest() {
      boolean both = ours >= 0 && theirs >= 0;
      require(ours >= 0 || theirs >= 0, "neither got a run");
      require(!both || Math.abs(ours - theirs) >= RUN, "runs overlap");
      require(segment.claimedSlices() == (both ? 2 * RUN : RUN), "bits that nobody holds, or lost");
    }

    private static int first(@Nullable Run run) {
      return run == null ? -1 : run.first();
    }
  }
}
