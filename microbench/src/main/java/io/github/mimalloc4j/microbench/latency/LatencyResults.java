package io.github.mimalloc4j.microbench.latency;

import io.github.mimalloc4j.microbench.result.FileFormat;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that one run of the command found out.
 *
 * @param setup what it was measured with
 * @param clock the median cost and the coarsest granularity that any of the JVMs saw
 * @param collections garbage collections while operations were timed, by subject, in all rounds
 * @param distributions by subject and operation
 */
public record LatencyResults(
    Setup setup, Clock clock, Map<String, Long> collections, List<Distribution> distributions) {
  /** The command's files. */
  public static final FileFormat<LatencyResults> FORMAT =
      new FileFormat<>("mimalloc4j latency 2", LatencyResults.class, LatencyReport::new);

  static LatencyResults of(Setup setup, Map<String, List<RoundResult>> rounds) {
    Map<String, Long> collections = new LinkedHashMap<>();
    List<Distribution> distributions = new ArrayList<>();
    rounds.forEach(
        (subject, own) -> {
          collections.put(subject, own.stream().mapToLong(RoundResult::collections).sum());
          distributions.add(
              Distribution.of(subject, Distribution.ALLOCATE, own, RoundResult::allocate));
          distributions.add(
              Distribution.of(subject, Distribution.RELEASE, own, RoundResult::release));
        });
    List<Clock> clocks =
        rounds.values().stream().flatMap(List::stream).map(RoundResult::clock).toList();
    Clock clock =
        new Clock(
            Spread.median(clocks.stream().map(Clock::cost).toList()),
            clocks.stream().mapToLong(Clock::granularity).max().orElse(0));
    return new LatencyResults(setup, clock, collections, distributions);
  }

  /** The distributions of one operation. */
  List<Distribution> of(String operation) {
    return distributions.stream().filter(one -> one.operation().equals(operation)).toList();
  }
}
