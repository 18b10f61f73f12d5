package io.github.mimalloc4j.microbench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All comparisons that results allow, by benchmark, with names that tell them apart. */
final class Comparisons {
  /** The threads as an axis; no benchmark has a parameter of this name. */
  static final String THREADS = "number of threads";

  private final Map<String, List<Comparison>> byBenchmark = new TreeMap<>();
  private final Map<Comparison, String> labels = new LinkedHashMap<>();
  private final Setups setups;

  Comparisons(List<Result> results, Setups setups) {
    this.setups = setups;
    Map<Result.Work, Comparison> all = new LinkedHashMap<>();
    results.forEach(result -> all.computeIfAbsent(result.work(), Comparison::new).add(result));
    all.values()
        .forEach(
            comparison ->
                byBenchmark
                    .computeIfAbsent(comparison.work().benchmark(), name -> new ArrayList<>())
                    .add(comparison));
    byBenchmark
        .values()
        .forEach(
            own -> {
              Set<String> varying = varying(own);
              own.forEach(
                  comparison ->
                      labels.put(
                          comparison,
                          words(comparison, own.size() == 1 ? all(own) : varying, true)));
            });
  }

  /** The names of the benchmarks, in their order. */
  Set<String> benchmarks() {
    return byBenchmark.keySet();
  }

  List<Comparison> of(String benchmark) {
    return byBenchmark.getOrDefault(benchmark, List.of());
  }

  /** All of them, benchmark by benchmark. */
  List<Comparison> all() {
    return byBenchmark.values().stream().flatMap(List::stream).toList();
  }

  /** All allocators of some comparisons, our own first. */
  static List<String> allocators(List<Comparison> comparisons) {
    return comparisons.stream()
        .flatMap(comparison -> comparison.allocators().stream())
        .distinct()
        .sorted(Comparison.byRank())
        .toList();
  }

  /** What tells a comparison from others of the same benchmark; all parameters if it is alone. */
  String label(Comparison comparison) {
    return labels.getOrDefault(comparison, "");
  }

  /** What is the same in all comparisons of a benchmark that has several. */
  String constants(String benchmark) {
    List<Comparison> own = of(benchmark);
    Set<String> varying = varying(own);
    return own.size() == 1
        ? ""
        : own.get(0).work().parameters().entrySet().stream()
            .filter(entry -> !varying.contains(entry.getKey()))
            .map(Object::toString)
            .collect(Collectors.joining(", "));
  }

  private static Set<String> all(List<Comparison> comparisons) {
    Set<String> names = new TreeSet<>();
    comparisons.forEach(comparison -> names.addAll(comparison.work().parameters().keySet()));
    return names;
  }

  private static Set<String> varying(List<Comparison> comparisons) {
    Set<String> names = all(comparisons);
    names.removeIf(name -> !varies(comparisons, work -> work.parameters().getOrDefault(name, "")));
    return names;
  }

  private static boolean varies(
      List<Comparison> comparisons, Function<Result.Work, Object> property) {
    return comparisons.stream().map(one -> property.apply(one.work())).distinct().count() > 1;
  }

  /** The same, without what an axis shows: a parameter, or {@link #THREADS}. */
  String labelWithout(Comparison comparison, String axis) {
    Set<String> varying = varying(of(comparison.work().benchmark()));
    varying.remove(axis);
    return words(comparison, varying, !axis.equals(THREADS));
  }

  private String words(Comparison comparison, Set<String> parameters, boolean threads) {
    Result.Work work = comparison.work();
    List<Comparison> own = of(work.benchmark());
    List<String> words = new ArrayList<>();
    work.parameters()
        .forEach(
            (name, value) -> {
              if (parameters.contains(name)) {
                words.add(name + "=" + value);
              }
            });
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
