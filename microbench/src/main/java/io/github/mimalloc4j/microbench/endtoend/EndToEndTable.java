package io.github.mimalloc4j.microbench.endtoend;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.endtoend.Summary.Spread;
import io.github.mimalloc4j.microbench.page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result for a terminal: a table in Markdown, a block of rows for each figure. */
final class EndToEndTable {
  private static final List<String> HEADER =
      List.of("figure", "allocator", "median", "min..max", "ratio", "min..max of it");

  /** Figure and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 2;

  private static final String NONE = "-";

  private static final String LEGEND =
      """
      median and min..max are those of the rounds; ratio: the figure divided by mimalloc's of the
      same round. More requests/s are better, of all else less. CPU: of the server's whole process.
      used: peak of what the allocator held; resident: peak of what the process had in memory, its
      Java heap of 256 MiB included.
      Client and server share the processors: the CPU time of a request says more about an
      allocator than requests/s and latencies do.
      """;

  /** A larger change of the processor time for a request says that the warm-up was too short. */
  private static final double SETTLED = 0.15;

  private EndToEndTable() {}

  /** The table and its legend. */
  static String render(List<Round> rounds) {
    List<List<String>> rows = new ArrayList<>();
    @Nullable Figure last = null;
    for (Summary summary : Summary.of(rounds)) {
      Figure figure = summary.figure();
      List<String> row = new ArrayList<>();
      row.add(figure == last ? "" : figure.title());
      row.add(summary.allocator().optionName());
      Spread values = summary.values();
      row.add(values == null ? NONE : figure.format(values.median()));
      row.add(
          values == null ? NONE : figure.format(values.min()) + ".." + figure.format(values.max()));
      Spread ratios = summary.ratios();
      row.add(ratios == null ? NONE : format("%.2f", ratios.median()));
      row.add(ratios == null ? NONE : format("%.2f..%.2f", ratios.min(), ratios.max()));
      rows.add(row);
      last = figure;
    }
    return new Table(HEADER, TEXT_COLUMNS, rows).toMarkdown() + '\n' + LEGEND + unsteady(rounds);
  }

  private static String unsteady(List<Round> rounds) {
    Map<AllocatorKind, List<Double>> cpu = new LinkedHashMap<>();
    for (Round round : rounds) {
      Double value = Figure.CPU.of(round);
      if (value != null) {
        cpu.computeIfAbsent(round.allocator(), allocator -> new ArrayList<>()).add(value);
      }
    }
    StringBuilder lines = new StringBuilder();
    cpu.forEach(
        (allocator, values) -> {
          double change = values.get(values.size() - 1) / values.get(0) - 1;
          if (Math.abs(change) > SETTLED) {
            lines.append(
                format(
                    "Unsteady: %s: CPU of a request changed by %+.0f %% from first to last round.\n",
                    allocator.optionName(), 100 * change));
          }
        });
    return lines.toString();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
