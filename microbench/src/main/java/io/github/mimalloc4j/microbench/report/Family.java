package io.github.mimalloc4j.microbench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Comparisons that differ in one number only: what a line of a chart goes through.
 *
 * @param axis the parameter that differs, or {@link Comparisons#THREADS}
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
    Map<Result.Work, SortedMap<Double, Comparison>> groups = new LinkedHashMap<>();
    for (Comparison comparison : comparisons) {
      Result.Work work = comparison.work();
      put(groups, with(work, 0, work.parameters()), work.threads(), comparison);
    }
    return families(Comparisons.THREADS, groups, SEVERAL);
  }

  /** The comparisons with different numbers of threads that the benchmark starts itself. */
  static List<Family> ofWorkers(List<Comparison> comparisons) {
    return ofParameters(comparisons, WORKERS::contains, SEVERAL);
  }

  /** The comparisons with many sizes. */
  static List<Family> ofSizes(List<Comparison> comparisons) {
    return ofParameters(comparisons, Family::isSize, SWEEP);
  }

  private static List<Family> ofParameters(
      List<Comparison> comparisons, Predicate<String> chosen, int least) {
    TreeSet<String> names = new TreeSet<>();
    comparisons.forEach(comparison -> names.addAll(comparison.work().parameters().keySet()));
    names.removeIf(chosen.negate());
    List<Family> all = new ArrayList<>();
    for (String name : names) {
      Map<Result.Work, SortedMap<Double, Comparison>> groups = new LinkedHashMap<>();
      for (Comparison comparison : comparisons) {
        Result.Work work = comparison.work();
        Map<String, String> others = new TreeMap<>(work.parameters());
        String number = String.valueOf(others.remove(name));
        // Words have no place on an axis, and 0 has none on a logarithmic one.
        if (number.matches("[1-9]\\d{0,15}")) {
          put(groups, with(work, work.threads(), others), Double.parseDouble(number), comparison);
        }
      }
      all.addAll(families(name, groups, least));
    }
    return all;
  }

  private static boolean isSize(String parameter) {
    String name = parameter.toLowerCase(Locale.ROOT);
    return name.contains("size") || name.contains("bytes");
  }

  private static void put(
      Map<Result.Work, SortedMap<Double, Comparison>> groups,
      Result.Work group,
      double number,
      Comparison comparison) {
    groups.computeIfAbsent(group, key -> new TreeMap<>()).put(number, comparison);
  }

  private static Result.Work with(Result.Work work, int threads, Map<String, String> parameters) {
    return new Result.Work(
        work.benchmark(), work.mode(), work.unit(), threads, parameters, work.setup());
  }

  private static List<Family> families(
      String axis, Map<Result.Work, SortedMap<Double, Comparison>> groups, int least) {
    return groups.values().stream()
        .filter(members -> members.size() >= least)
        .map(members -> new Family(axis, members))
        .toList();
  }
}
