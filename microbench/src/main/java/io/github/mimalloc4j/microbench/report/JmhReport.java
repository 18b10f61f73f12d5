package io.github.mimalloc4j.microbench.report;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.harness.SideResultsProfiler;
import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.report.JmhResult.Work;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Operation;
import io.github.mimalloc4j.microbench.result.Operation.Cost;
import io.github.mimalloc4j.microbench.result.Operations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All results of JMH as operations: those of one work, with each allocator, are one. */
final class JmhReport {
  private static final String RATIOS =
      "Time of an operation with MIMALLOC, and that with the others divided by it: the median and"
          + " the range of the ratios of all pairs of forks (JVMs). The time of a fork is the median"
          + " of its iterations.";

  private static final String ONE_FORK =
      "Some results have only one fork. Their range is that of the iterations, and says nothing"
          + " about differences between JVMs: ";

  private static final String BARE =
      "BARE is not an allocator but a stack of ready-made buffers: the lower limit.";

  private static final String MEMORY =
      "Used needs the option -prof " + SideResultsProfiler.class.getName() + ", garbage -prof gc.";

  /** A parameter that no benchmark has. */
  private static final String ENVIRONMENT = "environment";

  private final Setups setups;
  private final Operations operations;

  /** Benchmarks that some allocator ran in one JVM only. */
  private final Set<String> withOneFork = new TreeSet<>();

  JmhReport(List<JmhResult> results, Setups setups) {
    this.setups = setups;
    Map<String, Map<Work, Map<String, JmhResult>>> byBenchmark =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    result -> result.work().benchmark(),
                    TreeMap::new,
                    Collectors.groupingBy(
                        JmhResult::work,
                        LinkedHashMap::new,
                        Collectors.toMap(
                            JmhResult::allocator,
                            Function.identity(),
                            JmhResult::and,
                            LinkedHashMap::new))));
    List<Operation> all = new ArrayList<>();
    byBenchmark.values().forEach(works -> addOperations(works, all));
    operations = new Operations("benchmark", "parameters", all);
  }

  private void addOperations(Map<Work, Map<String, JmhResult>> works, List<Operation> all) {
    List<Map<String, String>> parameters = works.keySet().stream().map(this::parameters).toList();
    works.forEach(
        (work, byAllocator) -> {
          Map<String, String> own = parameters(work);
          own.keySet().removeIf(name -> !isShown(name, parameters));
          JmhResult ours = byAllocator.get(Against.REFERENCE);
          Map<String, Cost> costs = new LinkedHashMap<>();
          byAllocator.forEach(
              (allocator, result) -> {
                costs.put(allocator, result.cost(ours));
                if (result.nanos().size() == 1) {
                  withOneFork.add(work.benchmark());
                }
              });
          String label = Operation.words(own);
          all.add(new Operation(work.benchmark(), label, work.benchmark(), own, costs));
        });
  }

  private Map<String, String> parameters(Work work) {
    Map<String, String> all = new TreeMap<>(work.parameters());
    all.put(ENVIRONMENT, setups.letter(work.setup()));
    return all;
  }

  /**
   * What tells work from other work of the same benchmark; everything if there is none, but for how
   * long it was measured.
   */
  private boolean isShown(String name, List<Map<String, String>> ofBenchmark) {
    if (name.equals(ENVIRONMENT)) {
      return setups.areMixed();
    }
    boolean ofTheWork = !name.equals(JmhResults.WARM_UP) && !name.equals(JmhResults.MEASUREMENT);
    return ofBenchmark.size() == 1 && ofTheWork
        || ofBenchmark.stream().map(own -> own.getOrDefault(name, "")).distinct().count() > 1;
  }

  List<Against> against() {
    return operations.against();
  }

  void addTo(Document document) {
    document.heading("Benchmarks of JMH");
    if (!withOneFork.isEmpty()) {
      document.paragraph(ONE_FORK + String.join(", ", withOneFork) + ".");
    }
    if (operations.allocators().contains(AllocatorSource.BARE_NAME)) {
      document.paragraph(BARE);
    }
    document.paragraph(MEMORY);
    operations.addTo(document, RATIOS);
  }
}
