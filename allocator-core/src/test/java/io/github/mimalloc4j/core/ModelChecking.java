package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

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

  /** Which interleavings are drawn changes with the code; the search ends with the first find. */
  private static final int MOST_INTERLEAVINGS = 3000;

  private ModelChecking() {}

  /** For the operations of a data structure against their specification. */
  public static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .iterations(5 * TIMES)
        .invocationsPerIteration(100)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(2)
        .minimizeFailedScenario(false);
  }

  /** Runs a race in many interleavings. */
  public static void check(Class<? extends Race> race) {
    check(race, INTERLEAVINGS * TIMES);
  }

  /** Demands that a race finds what was planted, as {@link #assertFound(ThrowingCallable)} does. */
  public static void assertFound(Class<? extends Race> planted) {
    assertFound(() -> check(planted, MOST_INTERLEAVINGS));
  }

  private static void check(Class<? extends Race> race, int interleavings) {
    new ModelCheckingOptions()
        .iterations(1)
        .invocationsPerIteration(interleavings)
        .threads(2)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .loopIterationsBeforeThreadSwitch(LOOP)
        .loopBound(10 * LOOP)
        .minimizeFailedScenario(false)
        .check(race);
  }

  /**
   * Demands that a race finds what was planted: a wrong state at rest, no hang and no exception.
   */
  static void assertFound(ThrowingCallable check) {
    assertThatThrownBy(check)
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining(Race.AT_REST);
  }

  /** Two threads that do one thing each, and what must hold when both have. */
  public abstract static class Race {

    static final String AT_REST = "at rest: ";

    @Operation(runOnce = true)
    public final void ours() {
      doOurs();
    }

    @Operation(runOnce = true)
    public final void theirs() {
      doTheirs();
    }

    protected abstract void doOurs();

    protected abstract void doTheirs();

    /** Checks with {@link #require}. */
    @Validate
    public abstract void atRest();

    /** No AssertJ here: Lincheck compares objects, which AssertJ's assertions do not let it. */
    protected static void require(boolean condition, String otherwise) {
      if (!condition) {
        throw new IllegalStateException(AT_REST + otherwise);
      }
    }
  }
}
