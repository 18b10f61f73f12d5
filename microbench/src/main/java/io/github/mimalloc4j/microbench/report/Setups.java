package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.result.Setup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
  long machines() {
    return distinct(Setup::withoutFlags).size();
  }

  private <T> List<T> distinct(Function<Setup, T> property) {
    return benchmarks.keySet().stream().map(property).distinct().toList();
  }

  /** The letter of one; numbers after Z. */
  String letter(Setup setup) {
    int index = List.copyOf(benchmarks.keySet()).indexOf(setup);
    return index < 'Z' - 'A' + 1 ? String.valueOf((char) ('A' + index)) : String.valueOf(index);
  }

  /** What the reader must know before he compares: differences in the environments. */
  Optional<String> warning() {
    Map<String, List<String>> properties = new LinkedHashMap<>();
    properties.put("JDK", distinct(setup -> setup.jdk() + " (" + setup.vm() + ")"));
    properties.put("Netty", distinct(setup -> setup.machine().netty()));
    properties.put("CPU", distinct(setup -> setup.machine().cpu()));
    properties.put("system", distinct(setup -> setup.machine().system()));
    List<String> differences = new ArrayList<>();
    properties.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            differences.add(name + " " + String.join(" / ", values));
          }
        });
    List<String> flags = withDifferentFlags();
    if (!flags.isEmpty()) {
      differences.add("JVM flags of " + String.join(", ", flags));
    }
    return Optional.of(
            "These results come from different environments: "
                + String.join("; ", differences)
                + ". Ratios are taken within one environment. Each row has the letter of its"
                + " environment; see the end.")
        .filter(warning -> !differences.isEmpty());
  }

  /** Different benchmarks may need different flags; the same one may not, for a comparison. */
  private List<String> withDifferentFlags() {
    return benchmarks.values().stream()
        .flatMap(Set::stream)
        .distinct()
        .filter(name -> setupsOf(name).map(Setup::flags).distinct().count() > 1)
        .toList();
  }

  private Stream<Setup> setupsOf(String benchmark) {
    return benchmarks.keySet().stream().filter(setup -> benchmarks.get(setup).contains(benchmark));
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
