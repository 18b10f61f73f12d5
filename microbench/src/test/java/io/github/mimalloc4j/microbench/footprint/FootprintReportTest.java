package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports of samples that were made up: the numbers in them follow from these. */
class FootprintReportTest {
  private static final int MIB = 1 << 20;
  private static final FootprintPlan PLAN =
      new FootprintPlan(512L * MIB, Duration.ofMillis(2500), 300);

  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  @BeforeEach
  void makeUpSamples() {
    // Phases of two seconds for one allocator and of three for the other, with three samples each.
    samples.put("MIMALLOC", samples(2, 1));
    samples.put("ADAPTIVE", samples(3, 2));
  }

  /** In each phase live goes 10, 100, 0 MiB, and used is a factor of 12, 110 and 5 MiB. */
  private static List<Sample> samples(int seconds, int factor) {
    List<Sample> all = new ArrayList<>();
    long micros = 1000;
    for (Phase phase : Phase.values()) {
      long left = phase == Phase.SCATTER || phase == Phase.SCATTER_IDLE ? 2 : 0;
      all.add(sample(micros, phase, 12 * factor, 10, 300));
      all.add(sample(micros + seconds * 500_000L, phase, 110 * factor, 100, 400));
      all.add(
          sample(micros + seconds * 1_000_000L, phase, 5 * factor, left, 250 + phase.ordinal()));
      micros += seconds * 1_000_000L + 10;
    }
    return all;
  }

  private static Sample sample(long micros, Phase phase, long used, long live, long resident) {
    return new Sample(micros, phase, used * MIB, live * MIB, resident * MIB + MIB / 2L);
  }

  @Test
  void reportHoldsTheFiguresOfTheSamplesAllPhasesAndTheEnvironment() {
    String text = report().document().text();
    List<List<String>> rows = PageReader.rows(text);

    assertThat(text)
        .contains("JDK: ", "CPU: ", "Netty: ", "-XX:+SomeFlag")
        .contains(
            "Burst: 512 MiB; each phase: 2.5 s; 4 event loops; threads started of each kind: 300");
    assertThat(rows)
        .contains(
            List.of("burst", "MIMALLOC", "110.0", "100.0", "5.0", "-", "251.5"),
            List.of("", "ADAPTIVE", "220.0", "100.0", "10.0", "-", "251.5"),
            List.of(
                "idle with the 10 % left", "MIMALLOC", "110.0", "100.0", "5.0", "2.50", "258.5"),
            List.of("", "ADAPTIVE", "220.0", "100.0", "10.0", "5.00", "258.5"))
        .contains(
            List.of("MIMALLOC", "400.5", "252.5", "5.0", "259.5", "5.0", "1.10", "2.50"),
            List.of("ADAPTIVE", "400.5", "252.5", "10.0", "259.5", "10.0", "2.20", "5.00"));
    for (Phase phase : Phase.values()) {
      assertThat(rows).filteredOn(row -> row.get(0).equals(phase.title())).hasSize(1);
      assertThat(text).contains("- " + phase.title() + ": ");
    }
  }

  @Test
  void chartsShowAllAllocatorsAndPhasesOverACommonTime() {
    List<JsonObject> charts = PageReader.charts(report().document().html());

    assertThat(charts).as("used and resident").hasSize(2);
    assertThat(charts)
        .allSatisfy(
            chart ->
                assertThat(PageReader.bands(chart))
                    .containsExactlyElementsOf(
                        Arrays.stream(Phase.values()).map(Phase::label).toList()));
    assertThat(PageReader.legend(charts.get(0))).containsExactly("live", "MIMALLOC", "ADAPTIVE");
    assertThat(PageReader.points(charts.get(0), "MIMALLOC"))
        .as("the second phase begins when the slower one has ended the first")
        .startsWith(List.of(0.0, 12.0), List.of(1.0, 110.0), List.of(2.0, 5.0), List.of(3.0, 12.0));
    assertThat(PageReader.points(charts.get(0), "ADAPTIVE"))
        .startsWith(
            List.of(0.0, 24.0), List.of(1.5, 220.0), List.of(3.0, 10.0), List.of(3.0, 24.0));
    assertThat(PageReader.points(charts.get(1), "ADAPTIVE"))
        .startsWith(List.of(0.0, 300.5), List.of(1.5, 400.5));
    assertThat(PageReader.points(charts.get(0), "live"))
        .startsWith(List.of(0.0, 10.0), List.of(1.0, 100.0));
  }

  @Test
  void systemsThatDoNotTellWhatIsResidentGetAPageWithoutIt() {
    samples.replaceAll(
        (allocator, own) ->
            own.stream()
                .map(s -> new Sample(s.micros(), s.phase(), s.used(), s.live(), null))
                .toList());

    String html = report().document().html();

    assertThat(html).contains("This system does not report resident memory");
    assertThat(PageReader.charts(html)).as("used").hasSize(1);
    assertThat(PageReader.rows(report().document().text()))
        .contains(List.of("burst", "MIMALLOC", "110.0", "100.0", "5.0", "-", "-"));
    assertThat(report().document().text()).contains("This system does not report resident memory");
  }

  @Test
  void whatHoldsLessThanOursIsListed() {
    assertThat(report().against())
        .as("it holds twice as much, with the same resident")
        .noneMatch(Against::isLoss);

    samples.put("ADAPTIVE", samples(2, 1));
    samples.put("MIMALLOC", samples(2, 2));
    List<Against> against = report().against().stream().filter(Against::isLoss).toList();

    assertThat(against).hasSize(Phase.values().length);
    Spread half = Spread.of(0.5);
    assertThat(against)
        .contains(
            new Against("footprint", "burst", "ADAPTIVE", "peak of used memory", half),
            new Against(
                "footprint", "idle after the burst", "ADAPTIVE", "used memory at the end", half));
  }

  @Test
  void whatAnAllocatorDoesNotTellIsNeitherComparedNorShown() {
    samples.put(
        "ADAPTIVE",
        samples(2, 1).stream()
            .map(s -> new Sample(s.micros(), s.phase(), null, s.live(), s.resident()))
            .toList());

    assertThat(report().against()).noneMatch(one -> one.measure().contains("used"));
    assertThat(PageReader.rows(report().document().text()))
        .contains(List.of("", "ADAPTIVE", "-", "100.0", "-", "-", "251.5"));
  }

  @Test
  void missingPhaseIsAnError() {
    samples.put(
        "POOLED", samples(1, 1).stream().filter(sample -> sample.phase() != Phase.CHURN).toList());

    assertThatThrownBy(this::report)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it has no samples of the phase churn");
  }

  private FootprintReport report() {
    return new FootprintReport(results());
  }

  private FootprintResults results() {
    return new FootprintResults(Setup.here(List.of("-XX:+SomeFlag")), PLAN, samples);
  }
}
