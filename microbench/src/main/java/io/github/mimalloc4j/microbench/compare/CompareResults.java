package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;

/**
 * What single operations take with each allocator.
 *
 * @param figures of each work and allocator, those of one work one after the other
 */
public record CompareResults(Setup setup, List<Figures> figures) {
  public static final FileFormat<CompareResults> FORMAT =
      new FileFormat<>("mimalloc4j compare 2", CompareResults.class, CompareReport::new);

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
   */
  public record Figures(
      Target target,
      String work,
      String benchmark,
      String allocator,
      double nanos,
      Spread ratio,
      double used,
      double garbage) {}
}
