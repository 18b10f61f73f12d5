package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What single operations take with each allocator.
 *
 * @param figures of each work and allocator, those of one work one after the other
 */
public record CompareResults(Setup setup, List<Figures> figures) {
  public static final FileFormat<CompareResults> FORMAT =
      new FileFormat<>("mimalloc4j compare 2", CompareResults.class, CompareReport::new);

  /** A larger change within a fork's run says that its warm-up was too short. */
  private static final double SETTLED = 0.15;

  /**
   * The medians of the rounds.
   *
   * @param target which {@link Target} the work is about
   * @param work in the words of a table
   * @param benchmark JMH's arguments, without the allocator
   * @param nanos time of an operation
   * @param ratio the time divided by that with mimalloc4j in the same round
   * @param used bytes that the allocator held at most
   * @param garbage bytes of Java objects that an operation made
   * @param drift as in {@link Measurement}, of the round where its size is in the middle, the
   *     larger of two; null in files of older versions
   */
  public record Figures(
      Target target,
      String work,
      String benchmark,
      String allocator,
      double nanos,
      Spread ratio,
      double used,
      double garbage,
      @Nullable Double drift) {
    /** Returns a warning if the warm-up was too short. */
    Optional<String> unsteady() {
      return drift == null || Math.abs(drift) <= SETTLED
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "Unsteady: %s, %s, %s: the time changed by %+.0f %% within a run.",
                  target,
                  work,
                  allocator,
                  100 * drift));
    }
  }
}
