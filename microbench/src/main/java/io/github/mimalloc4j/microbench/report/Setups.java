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
  long machines() {
    return benchmarks.keySet().stream().map(Setup::withoutFlags).distinct().count();
  }

  /** The letter of one; numbers after Z. */
  String letter(Setup setup) {
    int index = List.copyOf(benchmarks.keySet()).indexOf(setup);
    return index < 'Z' - 'A' + 1 ? String.valueOf((char) ('A' + index)) : String.valueOf(index);
  }

  /** What the reader must know before he compares: differences in the environments. */
  Optional<String> warning() {
    String differences =
        Stream.of(
                different("JDK", setup -> setup.jdk() + " (" + setup.vm() + ")"),
                different("Netty", setup -> setup.machine().netty()),
                different("CPU", setup -> setup.machine().cpu()),
                different("system", setup -> setup.machine().system()),
                differentFlags())
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return Optional.of(
            "These results come from different environments: "
                + differences
                + ". Ratios are taken within an environment only; its letter stands in each row,"
                + " and what it means at the end.")
        .filter(warning -> !differences.isEmpty());
  }

  private Optional<String> different(String what, Function<Setup, String> property) {
    List<String> distinct = benchmarks.keySet().stream().map(property).distinct().toList();
    return Optional.of(what + " " + String.join(" / ", distinct)).filter(d -> distinct.size() > 1);
  }

  /** Different benchmarks may need different flags; the same one may not, for a comparison. */
  private Optional<String> differentFlags() {
    String several =
        benchmarks.values().stream()
            .flatMap(Set::stream)
            .distinct()
            .filter(name -> setupsOf(name).map(Setup::flags).distinct().count() > 1)
            .collect(Collectors.joining(", "));
    return Optional.of("JVM flags of " + several).filter(d -> !several.isEmpty());
  }

  private Stream<Setup> setupsOf(String benchmark) {
    return benchmarks.keySet().stream().filter(setup -> benchmarks.get(setup).contains(benchmark));
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
