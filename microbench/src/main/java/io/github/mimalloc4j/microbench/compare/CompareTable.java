package io.github.mimalloc4j.microbench.compare;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.result.Against;
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
  private static final String NONE = "-";

  private static final List<String> HEADER =
      List.of("row", "work", "allocator", "ns/op", "ratio", "min..max", "used MiB", "used/live");

  private static final String LEGEND =
      """
      S1, S2: a random live buffer is released and another allocated, with the sizes of a
      WebSocket proxy. S4: a direct buffer is allocated and released at once.
      ns/op: processor time, median of the rounds, each in a JVM of its own. ratio: the time
      divided by that of MIMALLOC in the same round, median and min..max of the rounds.
      used: peak of the memory that the allocator held; live: peak of the bytes requested.
      """;

  /** Row, work and allocator; the others are numbers. */
  private static final int TEXT_COLUMNS = 3;

  /** A larger change within a fork's run says that its warm-up was too short. */
  private static final double SETTLED = 0.15;

  private record Key(CompareRow row, AllocatorKind allocator) {}

  /** The measurements of each row and allocator, one a round; in the order of their first round. */
  private final Map<Key, List<Measurement>> measurements = new LinkedHashMap<>();

  void add(CompareRow row, AllocatorKind allocator, Measurement measurement) {
    measurements
        .computeIfAbsent(new Key(row, allocator), key -> new ArrayList<>())
        .add(measurement);
  }

  String render() {
    List<List<String>> rows = measurements.keySet().stream().map(this::cells).toList();
    StringBuilder text = new StringBuilder(new Table(HEADER, TEXT_COLUMNS, rows).toMarkdown());
    text.append('\n').append(LEGEND);
    measurements.forEach(
        (key, rounds) -> {
          double drift = median(rounds, Measurement::drift);
          if (Math.abs(drift) > SETTLED) {
            text.append(
                format(
                    "Unsteady: %s, %s, %s: the time changed by %+.0f %% within a run.\n",
                    key.row.id, key.row.work, key.allocator, 100 * drift));
          }
        });
    return text.toString();
  }

  /** The times of the other allocators, divided by those of the same round with ours. */
  List<Against> ratios() {
    return measurements.keySet().stream()
        .filter(key -> key.allocator() != AllocatorKind.MIMALLOC)
        .map(
            key ->
                new Against(
                    key.row().benchmark.getSimpleName(),
                    key.row().work,
                    key.allocator().name(),
                    "time",
                    ratio(key)))
        .toList();
  }

  private Spread ratio(Key key) {
    return Spread.ofRounds(
        nanos(measurements.get(key)),
        nanos(measurements.get(new Key(key.row(), AllocatorKind.MIMALLOC))));
  }

  private List<String> cells(Key key) {
    CompareRow row = key.row();
    List<Measurement> rounds = measurements.get(key);
    boolean reference = key.allocator() == AllocatorKind.MIMALLOC;
    Spread ratio = ratio(key);
    return List.of(
        reference ? row.id : "",
        reference ? row.work : "",
        key.allocator().name(),
        format("%.1f", median(rounds, Measurement::nanos)),
        reference ? NONE : ratio.text(),
        reference ? NONE : ratio.range(),
        format("%.1f", median(rounds, Measurement::peakUsed) / MIB),
        row.hasLiveSet ? format("%.2f", median(rounds, m -> m.peakUsed() / m.peakLive())) : NONE);
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
