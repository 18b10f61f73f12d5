package io.github.mimalloc4j.core;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;

/** How thoroughly Lincheck looks: enough to find each planted bug. It draws the same each time. */
public final class ModelChecking {

  /**
   * A heap goes over the numbers of its pages, 16 at first. Lincheck takes loops that it finds long
   * for waiting, and then hardly tries other interleavings of what follows.
   */
  private static final int LOOP = 100;

  private static final int INTERLEAVINGS = 150;

  /** How much longer than usual to look: {@code -Dmodel-checking.times=20}. */
  private static final int TIMES = Integer.getInteger("model-checking.times", 1);

  /** The classes that follow a segment's bitmap: S4 and S5 in docs/synchronization.md. */
  private static final String[] INDEX = {
    "io.github.mimalloc4j.core.memory.IndexedSegment",
    "io.github.mimalloc4j.core.memory.SegmentIndex"
  };

  /** What a heap comes from and consists of. Its races are other tests' (N1, H1 to S5). */
  private static final String[] BELOW_HEAPS = {
    "io.github.mimalloc4j.core.BlockAllocator",
    "io.github.mimalloc4j.core.OwnedHeaps",
    "io.github.mimalloc4j.core.heap.DeferredList",
    "io.github.mimalloc4j.core.heap.Mailbox",
    "io.github.mimalloc4j.core.heap.PageQueues",
    "io.github.mimalloc4j.core.heap.PageRoom",
    "io.github.mimalloc4j.core.heap.PageTable",
    "io.github.mimalloc4j.core.heap.RetiredPages",
    "io.github.mimalloc4j.core.heap.Upkeep",
    "io.github.mimalloc4j.core.memory.SegmentPool",
    "io.github.mimalloc4j.core.memory.Segment",
    "io.github.mimalloc4j.core.memory.IndexedSegment",
  };

  /** Calls itself, as a thread would that never ends, and shares nothing. */
  private static final String DEEP = "io.github.mimalloc4j.core.memory.StackRoom";

  private ModelChecking() {}

  /** For the operations of a data structure against their specification. */
  public static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .addGuarantee(forClasses(DEEP).allMethods().ignore())
        .iterations(5 * TIMES)
        .invocationsPerIteration(100)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .minimizeFailedScenario(false);
  }

  /**
   * Runs a race in many interleavings. The index of segments is taken for one that has no steps of
   * its own: it has many, and tests of its own ({@link #checkAllSteps}).
   */
  public static void check(Class<? extends Race> race) {
    raceOptions().addGuarantee(forClasses(INDEX).allMethods().treatAsAtomic()).check(race);
  }

  /**
   * As {@link #check}, for a race between holders of one block: of its heap, {@code Heap}, {@code
   * HeapPages} and {@code Page} alone have steps, so that few interleavings show all of the race.
   */
  public static void checkHolders(Class<? extends Race> race) {
    raceOptions().addGuarantee(forClasses(BELOW_HEAPS).allMethods().treatAsAtomic()).check(race);
  }

  /** As {@link #check}, with the steps of the index. */
  public static void checkAllSteps(Class<? extends Race> race) {
    raceOptions().check(race);
  }

  private static ModelCheckingOptions raceOptions() {
    return new ModelCheckingOptions()
        .addGuarantee(forClasses(DEEP).allMethods().ignore())
        .iterations(1)
        .invocationsPerIteration(INTERLEAVINGS * TIMES)
        .threads(2)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .loopIterationsBeforeThreadSwitch(LOOP)
        .loopBound(10 * LOOP)
        .minimizeFailedScenario(false);
  }

  /** Two threads that do one thing each, and what must hold when both have. */
  public abstract static class Race {

    static final String AT_REST = "at rest: ";

    private volatile @Nullable Throwable thrown;

    @Operation(runOnce = true)
    public final void ours() {
      run(this::doOurs);
    }

    @Operation(runOnce = true)
    public final void theirs() {
      run(this::doTheirs);
    }

    /** To Lincheck an exception is a result like any other; to a race it is none. */
    private void run(Runnable half) {
      try {
        half.run();
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
    }

    @Validate
    public final void validate() {
      if (thrown != null) {
        throw new IllegalStateException("thrown: " + thrown, thrown);
      }
      atRest();
    }

    protected abstract void doOurs();

    protected abstract void doTheirs();

    /** Checks with {@link #require}. */
    protected abstract void atRest();

    /** No AssertJ here: Lincheck compares objects, which AssertJ's assertions do not let it. */
    protected static void require(boolean condition, String otherwise) {
      if (!condition) {
        throw new IllegalStateException(AT_REST + otherwise);
      }
    }
  }
}
