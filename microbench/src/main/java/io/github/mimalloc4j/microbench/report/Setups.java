package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The environments of results, with letters: results of different ones are not compared. */
final class Setups {
  /** What was measured with each, in the order of the files. */
  private final Map<Setup, Set<String>> benchmarks = new LinkedHashMap<>();

  Setups(ResultFiles files) {
    files.results().forEach(result -> add(result.work().setup(), result.work().benchmark()));
    files.reports().forEach(report -> add(report.setup(), report.command()));
  }

  private void add(Setup setup, String benchmark) {
    benchmarks.computeIfAbsent(setup, key -> new TreeSet<>()).add(benchmark);
  }

  /**
   * Whether a reader must know that there are several: unless they differ in flags only, which
   * different benchmarks may need, but not the same one.
   */
  boolean areMixed() {
    List<String> names = benchmarks.values().stream().flatMap(Set::stream).toList();
    return benchmarks.keySet().stream().map(Setup::withoutFlags).distinct().count() > 1
        || Set.copyOf(names).size() < names.size();
  }

  /** The letter of one; numbers after Z. */
  String letter(Setup setup) {
    int index = List.copyOf(benchmarks.keySet()).indexOf(setup);
    return index < 'Z' - 'A' + 1 ? String.valueOf((char) ('A' + index)) : String.valueOf(index);
  }

  /** What the reader must know before he compares. */
  Optional<String> warning() {
    return areMixed()
        ? Optional.of(
            "These results come from different environments. Ratios are taken within one"
                + " environment. Each row has the letter of its environment; see the end.")
        : Optional.empty();
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    benchmarks.forEach(
        (setup, names) -> {
          if (benchmarks.size() > 1) {
            lines.add("Environment " + letter(setup) + ": " + String.join(", ", names));
          }
          lines.addAll(setup.lines());
        });
    return lines;
  }
}
