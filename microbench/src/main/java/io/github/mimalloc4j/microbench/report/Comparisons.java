package io.github.mimalloc4j.microbench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All comparisons that results allow, by benchmark, with names that tell them apart, and those that
 * a line of a chart goes through.
 */
final class Comparisons {
  /** With fewer sizes than this, bars show more than lines. */
  private static final int SWEEP = 4;

  private static final int SEVERAL = 2;

  private static final Pattern SIZE = Pattern.compile("(?i)size|bytes");

  /** Parameters that may be a number of threads; some benchmarks name a kind of threads so. */
  private static final Pattern WORKERS = Pattern.compile("^(workers|threads)$");

  private final Map<String, List<Comparison>> byBenchmark = new TreeMap<>();
  private final Setups setups;

  Comparisons(List<Result> results, Setups setups) {
    this.setups = setups;
    Map<Result.Work, Comparison> all = new LinkedHashMap<>();
    results.forEach(result -> all.computeIfAbsent(result.work(), Comparison::new).add(result));
    byBenchmark.putAll(
        all.values().stream().collect(Collectors.groupingBy(one -> one.work().benchmark())));
  }

  Map<String, List<Comparison>> byBenchmark() {
    return byBenchmark;
  }

  List<Comparison> all() {
    return byBenchmark.values().stream().flatMap(List::stream).toList();
  }

  static List<String> allocators(Collection<Comparison> comparisons) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.allocators().stream())
        .distinct()
        .sorted(Comparison.BY_RANK)
        .toList();
  }

  /** What tells a comparison from others of the same benchmark; all parameters if it is alone. */
  String label(Comparison comparison) {
    List<Comparison> own = siblings(comparison);
    return words(comparison, own.size() == 1 ? parameters(own) : varying(own), true);
  }

  /** The same, without what an axis shows. */
  String labelWithout(Comparison comparison, String axis) {
    Set<String> varying = varying(siblings(comparison));
    varying.remove(axis);
    return words(comparison, varying, !axis.equals(Result.Work.THREADS));
  }

  /** What is the same in all comparisons of a benchmark that has several. */
  String constants(String benchmark) {
    List<Comparison> own = byBenchmark.get(benchmark);
    Set<String> constant = parameters(own);
    constant.removeAll(varying(own));
    return own.size() == 1 ? "" : String.join(", ", parameters(own.get(0), constant));
  }

  /**
   * Comparisons that differ in one number only.
   *
   * @param axis the parameter that differs, or {@link Result.Work#THREADS}
   * @param members by that number
   */
  record Family(String axis, SortedMap<Double, Comparison> members) {
    Comparison any() {
      return members.get(members.firstKey());
    }
  }

  List<Family> ofThreads() {
    return along(Result.Work.THREADS, SEVERAL).toList();
  }

  /** The comparisons with different numbers of threads that the benchmark starts itself. */
  List<Family> ofWorkers() {
    return ofParameters(WORKERS, SEVERAL);
  }

  List<Family> ofSizes() {
    return ofParameters(SIZE, SWEEP);
  }

  private List<Family> ofParameters(Pattern chosen, int least) {
    return parameters(all()).stream()
        .filter(name -> chosen.matcher(name).find())
        .flatMap(name -> along(name, least))
        .toList();
  }

  private Stream<Family> along(String axis, int least) {
    Map<Result.Work, SortedMap<Double, Comparison>> groups = new LinkedHashMap<>();
    for (Comparison comparison : all()) {
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
        .map(members -> new Family(axis, members));
  }

  private List<Comparison> siblings(Comparison comparison) {
    return byBenchmark.get(comparison.work().benchmark());
  }

  private static Set<String> parameters(List<Comparison> comparisons) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.work().parameters().keySet().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> varying(List<Comparison> comparisons) {
    Set<String> names = parameters(comparisons);
    names.removeIf(name -> !varies(comparisons, work -> work.parameters().getOrDefault(name, "")));
    return names;
  }

  private static boolean varies(
      List<Comparison> comparisons, Function<Result.Work, Object> property) {
    return comparisons.stream().map(one -> property.apply(one.work())).distinct().count() > 1;
  }

  private static List<String> parameters(Comparison comparison, Set<String> names) {
    return comparison.work().parameters().entrySet().stream()
        .filter(entry -> names.contains(entry.getKey()))
        .map(Object::toString)
        .toList();
  }

  private String words(Comparison comparison, Set<String> parameters, boolean threads) {
    Result.Work work = comparison.work();
    List<Comparison> own = siblings(comparison);
    List<String> words = new ArrayList<>(parameters(comparison, parameters));
    if (threads && (varies(own, Result.Work::threads) || own.size() == 1 && work.threads() > 1)) {
      words.add(work.threads() == 1 ? "1 thread" : work.threads() + " threads");
    }
    if (varies(own, other -> other.mode() + " " + other.unit())) {
      words.add(work.mode() + " in " + work.unit());
    }
    if (setups.machines() > 1 || varies(own, Result.Work::setup)) {
      words.add("environment " + setups.letter(work.setup()));
    }
    return String.join(", ", words);
  }
}
