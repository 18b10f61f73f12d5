package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.compare.CompareResults.Figures;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.result.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Collects measurements round by round and shows them as a Markdown table. */
final class CompareTable {
  private static final double MIB = 1 << 20;
  private static final String REFERENCE = AllocatorKind.MIMALLOC.name();
  private static final String NONE = "-";

  private static final List<String> HEADER =
      List.of("row", "work", "allocator", "ns/op", "ratio", "min..max", "used MiB", "used/live");

  private static final String LEGEND =
      """
      S1, S2: a random live buffer is released and another allocated, with the sizes of a
      WebSocket proxy. S4: a direct buffer is allocated and released at once.
      ns/op: processor time (S5 to S7, SUITES: wall time), median of the rounds, each in a JVM of
      its own. ratio: the time divided by that of MIMALLOC in the same round, median and min..max.
      used: peak of the memory that the allocator held; live: peak of the bytes requested.
      """;

  /** Row, work and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 3;

  private record Key(CompareRow row, String allocator) {}

  /** The measurements of each row and allocator, one a round; in the order of their first round. */
  private final Map<Key, List<Measurement>> measurements = new LinkedHashMap<>();

  void add(CompareRow row, String allocator, Measurement measurement) {
    measurements
        .computeIfAbsent(new Key(row, allocator), key -> new ArrayList<>())
        .add(measurement);
  }

  String render() {
    List<List<String>> rows = measurements.keySet().stream().map(this::cells).toList();
    StringBuilder text = new StringBuilder(new Table(HEADER, TEXT_COLUMNS, rows).toMarkdown());
    text.append('\n').append(LEGEND);
    figures().forEach(one -> one.unsteady().ifPresent(warning -> text.append(warning + '\n')));
    return text.toString();
  }

  List<Figures> figures() {
    return measurements.keySet().stream().map(this::figures).toList();
  }

  private Figures figures(Key key) {
    CompareRow row = key.row();
    List<Measurement> rounds = measurements.get(key);
    return new Figures(
        row.target,
        row.work,
        row.jmhArguments(),
        key.allocator(),
        median(rounds, Measurement::nanos),
        ratio(key),
        median(rounds, Measurement::peakUsed),
        median(rounds, Measurement::garbage),
        median(rounds, Measurement::drift));
  }

  private Spread ratio(Key key) {
    return Spread.ofRounds(
        nanos(measurements.get(key)), nanos(measurements.get(new Key(key.row(), REFERENCE))));
  }

  private List<String> cells(Key key) {
    CompareRow row = key.row();
    List<Measurement> rounds = measurements.get(key);
    boolean reference = key.allocator().equals(REFERENCE);
    Spread ratio = ratio(key);
    return List.of(
        reference ? row.target.name() : "",
        reference ? row.work : "",
        key.allocator(),
        format("%.1f", median(rounds, Measurement::nanos)),
        reference ? NONE : ratio.text(),
        reference ? NONE : ratio.range(),
        format("%.1f", median(rounds, Measurement::peakUsed) / MIB),
        row.hasLiveSet() ? format("%.2f", median(rounds, m -> m.peakUsed() / m.peakLive())) : NONE);
  }

  private static List<Double> nanos(List<Measurement> rounds) {
    return rounds.stream().map(Measurement::nanos).toList();
  }

  private static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> of) {
    return Spread.median(rounds.stream().map(of::applyAsDouble).toList());
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
