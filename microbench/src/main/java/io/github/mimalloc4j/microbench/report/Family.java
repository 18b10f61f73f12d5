package io.github.mimalloc4j.microbench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Comparisons that differ in one number only: what a line of a chart goes through.
 *
 * @param axis the parameter that differs, or {@link Result.Work#THREADS}
 * @param members by that number, at least two
 */
record Family(String axis, SortedMap<Double, Comparison> members) {
  /** With fewer sizes than this, bars show more than lines. */
  private static final int SWEEP = 4;

  private static final int SEVERAL = 2;

  /** Parameters that may be a number of threads; some benchmarks name a kind of threads so. */
  private static final Set<String> WORKERS = Set.of("workers", "threads");

  /** One of them, for what they have in common. */
  Comparison any() {
    return members.get(members.firstKey());
  }

  /** The comparisons with different numbers of threads. */
  static List<Family> ofThreads(List<Comparison> comparisons) {
    return along(Result.Work.THREADS, comparisons, SEVERAL);
  }

  /** The comparisons with different numbers of threads that the benchmark starts itself. */
  static List<Family> ofWorkers(List<Comparison> comparisons) {
    return ofParameters(WORKERS::contains, comparisons, SEVERAL);
  }

  /** The comparisons with many sizes. */
  static List<Family> ofSizes(List<Comparison> comparisons) {
    return ofParameters(Family::isSize, comparisons, SWEEP);
  }

  private static boolean isSize(String parameter) {
    String name = parameter.toLowerCase(Locale.ROOT);
    return name.contains("size") || name.contains("bytes");
  }

  private static List<Family> ofParameters(
      Predicate<String> chosen, List<Comparison> comparisons, int least) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.work().parameters().keySet().stream())
        .filter(chosen)
        .distinct()
        .sorted()
        .flatMap(name -> along(name, comparisons, least).stream())
        .toList();
  }

  private static List<Family> along(String axis, List<Comparison> comparisons, int least) {
    Map<Result.Work, SortedMap<Double, Comparison>> groups = new LinkedHashMap<>();
    for (Comparison comparison : comparisons) {
      Result.Work work = comparison.work();
      work.place(axis)
          .ifPresent(
              place ->
                  groups
                      .computeIfAbsent(work.without(axis), key -> new TreeMap<>())
                      .put(place, comparison));
    }
    return groups.values().stream()
        .filter(members -> members.size() >= least)
        .map(members -> new Family(axis, members))
        .toList();
  }
}
