package io.github.mimalloc4j.microbench.replay;

import io.github.mimalloc4j.microbench.page.Document;
import io.github.mimalloc4j.microbench.page.Table;
import io.github.mimalloc4j.microbench.page.Table.Column;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.CommandReport;
import io.github.mimalloc4j.microbench.result.Spread;
import io.github.mimalloc4j.microbench.trace.RecordedFacts;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What each allocator would cost a recorded program, also as a share of its processor time. */
final class ReplayReport extends CommandReport {
  private static final double PERCENT = 100;

  private static final String METHOD =
      "Each allocator has its own JVMs (%d each, in turns), which repeat the recorded allocations,"
          + " growths and releases in the recorded order, on as many threads of the same kinds."
          + " Each buffer is released by the thread that represents the recorded one. \"Fast\""
          + " repeats the whole recording at full speed, \"paced\" its first %.1f s at the recorded"
          + " pace. Processor time is that of all Java threads without waiting (paced, and if a"
          + " thread is virtual: of the operations only, without what an allocator does between"
          + " them), minus that of a replay that does everything except allocate (%s)."
          + " One byte in each 4 KiB of a buffer is written. Figures are medians of the JVMs, with"
          + " the lowest and the highest.";

  private static final String MEASURES =
      "Used: the memory that the allocator holds, by its own metric. Resident: the resident memory"
          + " of the process without its Java heap, but including the memory of the JVM itself (row"
          + " %s). Both are sampled every 20 ms, in MiB. The paced replay follows the fast one in"
          + " the same JVM, so it begins with what the allocator has kept; in the table are the"
          + " medians of its samples, to which it counts only if kept for half of the time. Garbage:"
          + " bytes of Java objects.";

  /** How the recording is replayed. */
  private enum Way {
    FAST("at full speed", ReplayRun.Measured::fast),
    PACED("at the recorded pace, with caches as cold as in the program", ReplayRun.Measured::paced);

    private final String words;
    private final Function<ReplayRun.Measured, ReplayRun.Figures> figures;

    Way(String words, Function<ReplayRun.Measured, ReplayRun.Figures> figures) {
      this.words = words;
      this.figures = figures;
    }
  }

  private record Row(String subject, @Nullable NetFigures net, List<ReplayRun.Measured> rounds) {}

  private final ReplayResults results;

  ReplayReport(ReplayResults results) {
    super("replay", "Would it help me?", results.setup());
    this.results = results;
    if (results.allocators().isEmpty() || !results.measured().containsKey(ReplayRun.NO_ALLOCATOR)) {
      throw new IllegalArgumentException("it has no figures");
    }
    if (results.measured().values().stream().map(List::size).distinct().count() > 1) {
      throw new IllegalArgumentException("its allocators have different numbers of rounds");
    }
  }

  @Override
  public List<Against> against() {
    String ours = Against.REFERENCE;
    List<Against> all = new ArrayList<>();
    if (!results.measured().containsKey(ours)) {
      return all;
    }
    for (String other : results.allocators()) {
      if (!other.equals(ours)) {
        add(all, other, "processor time, fast", ReplayRun.Measured::fast);
        add(all, other, "processor time, paced", ReplayRun.Measured::paced);
      }
    }
    return all;
  }

  private void add(
      List<Against> all,
      String other,
      String measure,
      Function<ReplayRun.Measured, ReplayRun.Figures> way) {
    List<Double> ours = NetFigures.of(results, Against.REFERENCE).cpuNanos(way);
    List<Double> theirs = NetFigures.of(results, other).cpuNanos(way);
    boolean noise = Stream.concat(ours.stream(), theirs.stream()).anyMatch(nanos -> nanos <= 0);
    if (!noise) {
      String file = results.summary().facts().file();
      all.add(new Against(command(), file, other, measure, Spread.ofRounds(theirs, ours)));
    }
  }

  @Override
  public void addTo(Document document) {
    document.list(answer());
    document.table(Table.of(1, columns(), rows()));
    document.paragraph(
        String.format(
            Locale.ROOT, METHOD, rounds(), results.pacedSeconds(), ReplayRun.NO_ALLOCATOR));
    document.paragraph(MEASURES.formatted(ReplayRun.NO_ALLOCATOR));
    ReplayCharts charts = new ReplayCharts(results);
    document.chart(charts.cpu());
    document.chart(charts.used());
    document.chart(charts.resident());
    document.heading("What was recorded").list(RecordedText.facts(results.summary()));
    document.chart(charts.sizes()).chart(charts.lifetimes());
    document.heading("Limits of the recording");
    document.list(RecordedText.limits(results.summary()));
  }

  private int rounds() {
    return results.measured().values().stream().mapToInt(List::size).max().orElse(0);
  }

  /** The most important results, in sentences. */
  private List<String> answer() {
    TraceSummary summary = results.summary();
    RecordedFacts facts = summary.facts();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%,d buffers in %.1f s, recorded with %s.",
            summary.counts().allocations(),
            facts.seconds(),
            recordedAllocators().isEmpty()
                ? "an unknown allocator"
                : String.join(", ", recordedAllocators())));
    if (facts.cores() == null) {
      lines.add(
          "The recording does not have the processor time of the whole program, so the allocator's"
              + " share of it is unknown. Record for at least a few seconds, with the settings of"
              + " the record command.");
      return lines;
    }
    Way dearer = dearerWay();
    lines.add(
        String.format(
            Locale.ROOT,
            "The program used %.2f processors on average. According to this replay, allocation"
                + " takes this share of it: %s (%s).",
            facts.cores(),
            results.allocators().stream()
                .map(name -> name + " " + percent(share(name, dearer)))
                .collect(Collectors.joining(", ")),
            dearer.words));
    lines.add(
        "No other allocator can save much more than the share of the program's own allocator, which"
            + " is a little low because recording takes processor time, too. Other costs of buffers"
            + " are not included: access, copies, colder or warmer caches, and collections of the"
            + " allocator's garbage.");
    return lines;
  }

  /** One for all allocators, or their shares would not be comparable: the one with the largest. */
  private Way dearerWay() {
    return Arrays.stream(Way.values())
        .max(Comparator.comparingDouble(this::largestShare))
        .orElseThrow();
  }

  private double largestShare(Way way) {
    return results.allocators().stream()
        .map(name -> share(name, way))
        .filter(Objects::nonNull)
        .mapToDouble(Spread::middle)
        .max()
        .orElse(0);
  }

  private @Nullable Spread share(String allocator, Way way) {
    return NetFigures.of(results, allocator).share(results.summary(), way.figures);
  }

  private List<String> recordedAllocators() {
    return results.summary().facts().allocators().keySet().stream()
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .toList();
  }

  private List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (Map.Entry<String, List<ReplayRun.Measured>> one : results.measured().entrySet()) {
      boolean floor = one.getKey().equals(ReplayRun.NO_ALLOCATOR);
      rows.add(
          new Row(
              one.getKey(), floor ? null : NetFigures.of(results, one.getKey()), one.getValue()));
    }
    return rows;
  }

  private List<Column<Row>> columns() {
    TraceSummary summary = results.summary();
    return List.of(
        new Column<>("allocator", Row::subject),
        net("fast: CPU ns per buffer", net -> cpu(net, ReplayRun.Measured::fast)),
        net("paced: CPU ns per buffer", net -> cpu(net, ReplayRun.Measured::paced)),
        net(
            "fast: % of the program's CPU",
            net -> percent(net.share(summary, ReplayRun.Measured::fast))),
        net("paced: %", net -> percent(net.share(summary, ReplayRun.Measured::paced))),
        paced("paced: used", MemorySample::used),
        paced("paced: resident", MemorySample::resident),
        memory(
            "fast: peak used", ReplayRun.Measured::fastSamples, MemorySample::used, Spread::high),
        net("garbage B per buffer", net -> net.garbage(ReplayRun.Measured::fast).text("%.1f")));
  }

  /** A column of which the replay without an allocator has nothing. */
  private static Column<Row> net(String name, Function<NetFigures, String> cell) {
    return new Column<>(name, row -> row.net() == null ? Table.NONE : cell.apply(row.net()));
  }

  private static String cpu(NetFigures net, Function<ReplayRun.Measured, ReplayRun.Figures> way) {
    return Spread.of(net.cpuNanos(way)).textWithRange("%.1f");
  }

  private static String percent(@Nullable Spread share) {
    if (share == null) {
      return Table.NONE;
    }
    Spread percent =
        new Spread(share.middle() * PERCENT, share.low() * PERCENT, share.high() * PERCENT);
    return percent.text("%.2f") + " % (" + percent.range("%.2f") + ")";
  }

  /** The median: what the fast replay has left counts only if it is kept for half of the time. */
  private static Column<Row> paced(String name, Function<MemorySample, @Nullable Long> measure) {
    return memory(name, ReplayRun.Measured::pacedSamples, measure, Spread::middle);
  }

  private static Column<Row> memory(
      String name,
      Function<ReplayRun.Measured, List<MemorySample>> way,
      Function<MemorySample, @Nullable Long> measure,
      ToDoubleFunction<Spread> figure) {
    return new Column<>(
        name,
        row -> {
          Spread bytes = NetFigures.memory(row.rounds(), way, measure, figure);
          return Table.mib("%.1f", bytes == null ? null : bytes.middle());
        });
  }
}
