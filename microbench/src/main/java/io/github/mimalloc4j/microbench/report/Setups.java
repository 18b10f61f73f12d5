package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** How many there are, flags aside. */
  int machines() {
    return distinctMachines().size();
  }

  private Set<Setup> distinctMachines() {
    return benchmarks.keySet().stream()
        .map(Setup::withoutFlags)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The letter of one; numbers after Z. */
  String letter(Setup setup) {
    int index = List.copyOf(benchmarks.keySet()).indexOf(setup);
    return index < 'Z' - 'A' + 1 ? String.valueOf((char) ('A' + index)) : String.valueOf(index);
  }

  /** What the reader must know before he compares: differences in the environments. */
  Optional<String> warning() {
    List<String> differences = new ArrayList<>();
    Set<Setup> machines = distinctMachines();
    differ(
        "JDK", machines.stream().map(setup -> setup.jdk() + " (" + setup.vm() + ")"), differences);
    differ("Netty", machines.stream().map(setup -> setup.machine().netty()), differences);
    differ("CPU", machines.stream().map(setup -> setup.machine().cpu()), differences);
    differ("system", machines.stream().map(setup -> setup.machine().system()), differences);
    String flags = benchmarksWithSeveralFlags();
    if (!flags.isEmpty()) {
      differences.add("JVM flags of " + flags);
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "These results come from different environments: "
                + String.join("; ", differences)
                + ". Ratios are taken within an environment only; its letter stands in each row,"
                + " and what it means at the end.");
  }

  private static void differ(String what, Stream<String> values, List<String> differences) {
    List<String> distinct = values.distinct().toList();
    if (distinct.size() > 1) {
      differences.add(what + " " + String.join(" / ", distinct));
    }
  }

  /** Different benchmarks may need different flags; the same one may not, for a comparison. */
  private String benchmarksWithSeveralFlags() {
    Map<String, Set<List<String>>> flags = new LinkedHashMap<>();
    benchmarks.forEach(
        (setup, names) ->
            names.forEach(
                name ->
                    flags.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(setup.flags())));
    return flags.entrySet().stream()
        .filter(entry -> entry.getValue().size() > 1)
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  /** All of them for people. */
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
