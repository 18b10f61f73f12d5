package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.footprint.BurstsRun.Burst;
import io.github.mimalloc4j.microbench.footprint.BurstsRun.Bursts;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.page.RangePlot;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.result.Spread;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The table and the plot of bursts that were made up. */
class BurstsReportTest {
  private static final long MIB = 1 << 20;

  private final Map<String, Bursts> allocators = new LinkedHashMap<>();

  @BeforeEach
  void makeUpBursts() {
    allocators.put("MIMALLOC", new Bursts(List.of(burst(500, 50), burst(400, 100))));
    allocators.put("ADAPTIVE", new Bursts(List.of(burst(500, -5), burst(200, 20))));
  }

  private static Burst burst(long peak, long resident) {
    return new Burst(peak * MIB, resident * MIB, MIB / 2);
  }

  @Test
  void theTableHasTheHighestPeakAndTheHighestShare() {
    String text = report().document().text();

    assertThat(text).contains("4.0 s after each of 2 bursts of 512 MiB (uniform 1 9)");
    assertThat(PageReader.rows(text))
        .contains(
            List.of("MIMALLOC", "500", "50", "100", "25.0", "0.5"),
            List.of("ADAPTIVE", "500", "-5", "20", "10.0", "0.5"));
  }

  @Test
  void thePlotHasTheMediansAndTheRangesOfTheShares() {
    RangePlot expected =
        RangePlot.ofPercentages(
                "Memory after a burst, JDK " + System.getProperty("java.version"),
                "% of the burst's peak still resident 4.0 s later, 2 bursts")
            .add("mimalloc4j", "mimalloc4j", 17.5, 10, 25)
            .add("Adaptive", "Adaptive", 5, 0, 10);

    assertThat(RangePlot.svg(List.of(report().plot().orElseThrow())))
        .isEqualTo(RangePlot.svg(List.of(expected)));
  }

  @Test
  void whatKeepsLessThanOursIsListed() {
    assertThat(report().against())
        .containsExactly(
            new Against(
                "footprint --bursts",
                "uniform 1 9",
                "ADAPTIVE",
                "resident memory after a burst",
                Spread.of(20.0 / 100)));
  }

  @Test
  void missingBurstsAreAnError() {
    allocators.put("POOLED", new Bursts(List.of()));
    assertThatThrownBy(this::report).hasMessage("its allocators have different numbers of bursts");

    allocators.clear();
    assertThatThrownBy(this::report).hasMessage("it has no bursts");
  }

  private BurstsReport report() {
    return new BurstsReport(
        new BurstsResults(
            Setup.here(List.of()),
            new FootprintPlan(512 * MIB, Duration.ofSeconds(4), 1),
            "uniform 1 9",
            allocators));
  }
}
