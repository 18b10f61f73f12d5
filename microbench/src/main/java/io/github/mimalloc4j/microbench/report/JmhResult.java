package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Operation.Cost;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What JMH measured of one allocator. The figures are those of the iterations of each fork, that
 * is, of each JVM.
 *
 * @param work everything else that tells it from other results
 * @param nanos times of an operation
 * @param used bytes that the allocator held; no forks if nobody measured them, or it did not tell
 * @param garbage bytes of Java objects that an operation made; no forks if nobody measured them
 */
record JmhResult(
    Work work,
    String allocator,
    List<List<Double>> nanos,
    List<List<Double>> used,
    List<List<Double>> garbage) {
  /**
   * What was done. Results of the same work can be compared.
   *
   * @param benchmark the class and the method, without the package
   * @param parameters those of JMH and the benchmark's own, without the allocator
   */
  record Work(String benchmark, Map<String, String> parameters, Setup setup) {}

  /** Returns whether both are of the same work with the same allocator. */
  boolean repeats(JmhResult other) {
    return work.equals(other.work) && allocator.equals(other.allocator);
  }

  /** Of two that repeat the same: with the forks of both. */
  JmhResult and(JmhResult other) {
    return new JmhResult(
        work,
        allocator,
        both(nanos, other.nanos),
        both(used, other.used),
        both(garbage, other.garbage));
  }

  private static List<List<Double>> both(List<List<Double>> some, List<List<Double>> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  Cost cost(@Nullable JmhResult reference) {
    return new Cost(
        Spread.median(samples(nanos)),
        reference == null ? null : ratio(samples(nanos), samples(reference.nanos)),
        used.stream().flatMap(List::stream).max(Double::compare).orElse(null),
        garbage.isEmpty() ? null : Spread.median(samples(garbage)));
  }

  /**
   * A number for each fork, the median of its iterations. Of a single fork, each iteration; they
   * tell nothing of the difference between JVMs.
   */
  private static List<Double> samples(List<List<Double>> forks) {
    return forks.size() == 1 ? forks.get(0) : forks.stream().map(Spread::median).toList();
  }

  private static @Nullable Spread ratio(List<Double> theirs, List<Double> ours) {
    boolean known =
        Stream.concat(theirs.stream(), ours.stream())
            .allMatch(time -> time > 0 && Double.isFinite(time));
    return known ? Spread.ofAllPairs(theirs, ours) : null;
  }
}
