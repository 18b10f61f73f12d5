package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.compare.CompareResults.Figures;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Collects measurements round by round and shows them as a Markdown table. */
final class CompareTable {
  private static final String LEGEND =
      """
      S1, S2: a random live buffer is released and another allocated, with the sizes of a
      WebSocket proxy. S4: a direct buffer is allocated and released at once.
      ns/op: processor time without that of upkeep (S5 to S7, SUITES: wall time), median of the
      rounds, each in a JVM of its own. ratio: the time divided by that of MIMALLOC in the same
      round, median and min..max.
      used: the most that the allocator held between operations (in S4, S8 and GROWTH, nothing
      is live then); live: the most bytes requested.
      """;

  /** Row, work and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 3;

  private record Key(CompareRow row, String allocator) {
    Key reference() {
      return new Key(row, Against.REFERENCE);
    }

    boolean isReference() {
      return equals(reference());
    }
  }

  /** The measurements of each row and allocator, one a round; in the order of their first round. */
  private final Map<Key, List<Measurement>> measurements = new LinkedHashMap<>();

  void add(CompareRow row, String allocator, Measurement measurement) {
    measurements
        .computeIfAbsent(new Key(row, allocator), key -> new ArrayList<>())
        .add(measurement);
  }

  String render() {
    Table table = Table.of(TEXT_COLUMNS, columns(), List.copyOf(measurements.keySet()));
    StringBuilder text = new StringBuilder(table.grouped().toMarkdown());
    text.append('\n').append(LEGEND);
    figures().forEach(one -> one.unsteady().ifPresent(warning -> text.append(warning + '\n')));
    return text.toString();
  }

  private List<Column<Key>> columns() {
    return List.of(
        new Column<>("row", key -> key.row().target.name()),
        new Column<>("work", key -> key.row().work),
        new Column<>("allocator", Key::allocator),
        new Column<>("ns/op", key -> Table.cell("%.1f", median(key, Measurement::nanos))),
        new Column<>("ratio", key -> key.isReference() ? Table.NONE : ratio(key).text()),
        new Column<>("min..max", key -> key.isReference() ? Table.NONE : ratio(key).range()),
        new Column<>("used MiB", key -> Table.mib("%.1f", median(key, Measurement::peakUsed))),
        new Column<>("used/live", this::usedOfLive));
  }

  private String usedOfLive(Key key) {
    return key.row().hasLiveSet()
        ? Table.cell("%.2f", median(key, one -> one.peakUsed() / one.peakLive()))
        : Table.NONE;
  }

  List<Figures> figures() {
    return measurements.keySet().stream().map(this::figures).toList();
  }

  private Figures figures(Key key) {
    CompareRow row = key.row();
    return new Figures(
        row.target,
        row.work,
        row.jmhArguments(),
        key.allocator(),
        median(key, Measurement::nanos),
        ratio(key),
        median(key, Measurement::peakUsed),
        median(key, Measurement::garbage),
        drift(key));
  }

  /**
   * That of middle size, up or down, the larger of two: one round's rise does not make up for
   * another's fall.
   */
  private double drift(Key key) {
    List<Double> bySize =
        measurements.get(key).stream()
            .map(Measurement::drift)
            .sorted(Comparator.comparingDouble(Math::abs))
            .toList();
    return bySize.get(bySize.size() / 2);
  }

  private Spread ratio(Key key) {
    return Spread.ofRounds(nanos(key), nanos(key.reference()));
  }

  private List<Double> nanos(Key key) {
    return measurements.get(key).stream().map(Measurement::nanos).toList();
  }

  private double median(Key key, ToDoubleFunction<Measurement> of) {
    return Spread.median(measurements.get(key).stream().map(of::applyAsDouble).toList());
  }
}
