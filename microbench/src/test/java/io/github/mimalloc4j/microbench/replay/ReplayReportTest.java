package io.github.mimalloc4j.microbench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.github.mimalloc4j.microbench.page.PageReader;
import io.github.mimalloc4j.microbench.result.Against;
import io.github.mimalloc4j.microbench.result.Machine;
import io.github.mimalloc4j.microbench.result.Setup;
import io.github.mimalloc4j.microbench.trace.LifeCounts;
import io.github.mimalloc4j.microbench.trace.RecordedFacts;
import io.github.mimalloc4j.microbench.trace.ThreadRole;
import io.github.mimalloc4j.microbench.trace.TraceSummary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a page says of figures that are known. */
class ReplayReportTest {
  private static final long MIB = 1 << 20;

  /** 100,000 buffers a second, by a program that takes half a processor. */
  private static TraceSummary summary(@Nullable Double cores) {
    List<Long> lifetimes = new ArrayList<>(Collections.nCopies(Long.SIZE, 0L));
    lifetimes.set(10, 600_000L);
    List<Long> others = new ArrayList<>(Collections.nCopies(Long.SIZE, 0L));
    others.set(20, 200_000L);
    return new TraceSummary(
        new RecordedFacts(
            "prod.jfr",
            10,
            Map.of("io.netty.buffer.AdaptiveByteBufAllocator", 1_000_000L),
            12,
            cores,
            3),
        new LifeCounts(1_000_000, 999_000, 5, 11, 22, 33, 44, 200_000, 900_000, 3 * MIB, MIB),
        2_000_000,
        50,
        List.of(ThreadRole.EVENT_LOOP, ThreadRole.PLAIN),
        9,
        Map.of(256, 750_000L, 1024, 250_000L),
        lifetimes,
        others,
        List.of(MIB, 3 * MIB, 2 * MIB));
  }

  /** Of a million buffers. */
  private static ReplayRun.Measured measured(long fastNanos, long pacedNanos, long usedMib) {
    return new ReplayRun.Measured(
        figures(fastNanos),
        List.of(new MemorySample(0, usedMib * MIB, 90 * MIB)),
        figures(pacedNanos),
        List.of(
            new MemorySample(0, 3 * usedMib * MIB, 300 * MIB), // what the fast replay has left
            new MemorySample(500_000, usedMib * MIB, 100 * MIB),
            new MemorySample(1_000_000, usedMib * MIB, 100 * MIB)));
  }

  private static ReplayRun.Figures figures(long nanos) {
    return new ReplayRun.Figures(1_000_000, 1_000_000, nanos * 1_000_000, nanos * 100_000);
  }

  private static ReplayResults results(@Nullable Double cores) {
    Map<String, List<ReplayRun.Measured>> all = new LinkedHashMap<>();
    all.put("MIMALLOC", List.of(measured(50, 90, 2), measured(70, 110, 2), measured(45, 80, 2)));
    all.put("ADAPTIVE", List.of(measured(90, 290, 7), measured(120, 310, 7), measured(85, 280, 7)));
    all.put("FLOOR", List.of(measured(20, 40, 0), measured(30, 50, 0), measured(20, 40, 0)));
    return new ReplayResults(
        new Setup("17", "a VM", List.of(), new Machine("4.2", "a CPU", "a system")),
        summary(cores),
        2,
        all);
  }

  @Test
  void missingRoundsAreAnError() {
    ReplayResults uneven = results(0.5);
    uneven.measured().put("FLOOR", List.of(measured(20, 40, 0)));

    assertThatThrownBy(() -> new ReplayReport(uneven))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("its allocators have different numbers of rounds");
  }

  @Test
  void theReplaysOwnTimeIsTakenOffRoundByRound() {
    String text = new ReplayReport(results(0.5)).document().text();

    List<List<String>> rows = PageReader.rows(text);
    List<String> ours = row(rows, "MIMALLOC");
    assertThat(ours.get(1)).isEqualTo("30.0 (25.0..40.0)"); // 30, 40, 25
    assertThat(ours.get(2)).isEqualTo("50.0 (40.0..60.0)");
    List<String> theirs = row(rows, "ADAPTIVE");
    assertThat(theirs.get(1)).isEqualTo("70.0 (65.0..90.0)"); // 70, 90, 65
    assertThat(theirs.get(5)).isEqualTo("7.0");
    assertThat(theirs.get(6)).isEqualTo("100.0");
    assertThat(row(rows, "FLOOR").get(1)).isEqualTo("-");
  }

  private static List<String> row(List<List<String>> rows, String name) {
    return rows.stream().filter(row -> row.get(0).equals(name)).findFirst().orElseThrow();
  }

  /** 50 ns, 100,000 times a second, are 5 ms of the 500 that the program takes. */
  @Test
  void theShareOfTheProgramsTimeIsSaidFirst() {
    String text = new ReplayReport(results(0.5)).document().text();

    assertThat(text.lines().limit(2))
        .anyMatch(line -> line.contains("1,000,000 buffers in 10.0 s"))
        .anyMatch(
            line ->
                line.contains("0.50 processors")
                    && line.contains("MIMALLOC 1.00 % (0.80..1.20)")
                    && line.contains("ADAPTIVE 5.00 % (4.80..5.20) (at the recorded pace"));
  }

  @Test
  void theSharesAreThoseOfOneWayToReplay() {
    Map<String, List<ReplayRun.Measured>> all = new LinkedHashMap<>();
    all.put("MIMALLOC", List.of(measured(50, 90, 2)));
    all.put("ADAPTIVE", List.of(measured(520, 290, 7)));
    all.put("FLOOR", List.of(measured(20, 40, 0)));
    ReplayResults results = new ReplayResults(results(0.5).setup(), summary(0.5), 2, all);

    assertThat(new ReplayReport(results).document().text().lines().limit(2))
        .anyMatch(
            line ->
                line.contains("MIMALLOC 0.60 % (0.60..0.60)") // 30 ns, though 50 at that pace
                    && line.contains("ADAPTIVE 10.00 % (10.00..10.00) (at full speed)"));
  }

  @Test
  void withoutTheProgramsTimeThereIsNoShare() {
    String text = new ReplayReport(results(null)).document().text();

    assertThat(text).contains("does not have the processor time of the whole program");
    assertThat(row(PageReader.rows(text), "ADAPTIVE").get(3)).isEqualTo("-");
  }

  @Test
  void whatTheRecordingDoesNotTellIsSaid() {
    String text = new ReplayReport(results(0.5)).document().text();

    assertThat(text)
        .contains("dropped at least 12 bytes")
        .contains("live when the recording began: 11.")
        .contains("live when it ended: 22.")
        .contains("Releases or reallocations at an address without a live buffer: 33.")
        .contains("at the address of one that was still live: 44.")
        .contains("Buffers without an address: 200,000.")
        .contains("Threads that used buffers: 9. The replay has 2")
        .contains("than the allocating one: at least 25.00 % (200,000 of 800,000)");
  }

  @Test
  void thePageHasThePictures() {
    List<JsonObject> charts = PageReader.charts(new ReplayReport(results(0.5)).document().html());

    assertThat(charts).hasSize(5);
    assertThat(PageReader.points(charts.get(0), "ADAPTIVE"))
        .containsExactly(List.of(0.0, 70.0, 65.0, 90.0), List.of(1.0, 250.0, 240.0, 260.0));
    assertThat(PageReader.legend(charts.get(1))).containsExactly("live", "MIMALLOC", "ADAPTIVE");
    assertThat(PageReader.points(charts.get(1), "live"))
        .as("its 10 s in thirds, of which 2 s are replayed at this pace")
        .containsExactly(List.of(0.0, 1.0));
    assertThat(PageReader.legend(charts.get(2))).contains("FLOOR");
    assertThat(PageReader.points(charts.get(3), "of all buffers"))
        .containsExactly(List.of(256.0, 75.0, 75.0, 75.0), List.of(1024.0, 25.0, 25.0, 25.0));
    assertThat(PageReader.points(charts.get(4), "released by another thread"))
        .containsExactly(List.of(2097.152, 25.0, 25.0, 25.0));
  }

  @Test
  void whatIsLostToOthersIsAmongTheLosses() {
    assertThat(new ReplayReport(results(0.5)).against()).noneMatch(Against::isLoss);
    Map<String, List<ReplayRun.Measured>> turned = new LinkedHashMap<>(results(0.5).measured());
    List<ReplayRun.Measured> ours = turned.put("MIMALLOC", turned.get("ADAPTIVE"));
    turned.put("ADAPTIVE", ours);
    ReplayResults lost = new ReplayResults(results(0.5).setup(), summary(0.5), 2, turned);

    assertThat(new ReplayReport(lost).against())
        .filteredOn(Against::isLoss)
        .hasSize(2)
        .allMatch(loss -> loss.allocator().equals("ADAPTIVE") && loss.ratio().middle() < 0.5);
  }
}
