package io.github.mimalloc4j.core.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.ModelChecking;
import org.jetbrains.lincheck.LincheckAssertionError;
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
  void findsClaimByPlainWrite() {
    assertThatThrownBy(() -> check(ClaimByPlainWrite.class))
        .isInstanceOf(LincheckAssertionError.class);
  }

  @Test
  void runsAcrossWordsDoNotOverlap() {
    ModelChecking.check(RunsAcrossWords.class);
  }

  @Test
  void findsRunsAcrossWordsThatOverlap() {
    ModelChecking.assertFound(PlainRunsAcrossWords.class);
  }

  private static void check(Class<? extends Operations> segment) {
    ModelChecking.options().sequentialSpecification(Specification.class).check(segment);
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

  abstract static class SegmentOperations extends Operations {

    private final Slices slices;
    private final @Nullable Run[] runs = new Run[2];

    SegmentOperations(Slices slices) {
      this.slices = slices;
    }

    @Override
    boolean claim(int who) {
      Run run = slices.claim(1);
      runs[who] = run;
      return run != null;
    }

    @Override
    void release(int who) {
      slices.release(runs[who]);
    }

    @Override
    boolean claimAll() {
      return slices.claimWhole();
    }
  }

  public static final class RealSegment extends SegmentOperations {
    public RealSegment() {
      super(new Slices(SLICES));
    }
  }

  public static final class ClaimByPlainWrite extends SegmentOperations {
    public ClaimByPlainWrite() {
      super(new PlainSlices(SLICES));
    }
  }

  /** Two claimers, of which one may be in the other's way, and a release beside them. */
  public static class RunsAcrossWords extends ModelChecking.Race {

    private static final int RUN = 80;

    private final Slices slices;
    private final Run old;
    private int ours;
    private int theirs;

    public RunsAcrossWords() {
      this(new Slices(3 * Long.SIZE));
    }

    RunsAcrossWords(Slices slices) {
      this.slices = slices;
      old = slices.claim(40);
    }

    @Override
    protected void doOurs() {
      ours = first(slices.claim(RUN));
    }

    @Override
    protected void doTheirs() {
      slices.release(old);
      theirs = first(slices.claim(RUN));
    }

    @Override
    public void atRest() {
      boolean both = ours >= 0 && theirs >= 0;
      require(ours >= 0 || theirs >= 0, "neither got a run");
      require(!both || Math.abs(ours - theirs) >= RUN, "runs overlap");
      require(slices.claimed() == (both ? 2 * RUN : RUN), "bits that nobody holds, or lost");
    }

    private static int first(@Nullable Run run) {
      return run == null ? -1 : run.first();
    }
  }

  public static final class PlainRunsAcrossWords extends RunsAcrossWords {
    public PlainRunsAcrossWords() {
      super(new PlainSlices(3 * Long.SIZE));
    }
  }

  private static final int SLICE_BYTES = io.github.mimalloc4j.core.memory.Slices.BYTES;

  /** A segment, of which a subclass can get things wrong. */
  static class Slices {

    final Segment segment;

    Slices(int slices) {
      segment = new Segment(() -> {}, slices * SLICE_BYTES, slices, empty -> {});
    }

    @Nullable Run claim(int count) {
      return segment.claim(count);
    }

    void release(Run run) {
      segment.release(run);
    }

    boolean claimWhole() {
      return segment.claimWhole();
    }

    int claimed() {
      return segment.claimedSlices();
    }
  }

  /** Planted bug: the bitmap is read and written in two steps. */
  static final class PlainSlices extends Slices {

    private final boolean[] claimed;

    PlainSlices(int slices) {
      super(slices);
      claimed = new boolean[slices];
    }

    @Override
    @Nullable Run claim(int count) {
      for (int first = 0; first + count <= claimed.length; first++) {
        if (countIn(first, first + count) == 0) {
          set(first, count, true);
          return new Run(segment, first, count);
        }
      }
      return null;
    }

    @Override
    void release(Run run) {
      set(run.first(), run.slices(), false);
    }

    @Override
    boolean claimWhole() {
      boolean all = claimed() == 0;
      if (all) {
        set(0, claimed.length, true);
      }
      return all;
    }

    @Override
    int claimed() {
      return countIn(0, claimed.length);
    }

    private int countIn(int from, int to) {
      int count = 0;
      for (int i = from; i < to; i++) {
        count += claimed[i] ? 1 : 0;
      }
      return count;
    }

    private void set(int first, int count, boolean value) {
      for (int i = first; i < first + count; i++) {
        claimed[i] = value;
      }
    }
  }
}
