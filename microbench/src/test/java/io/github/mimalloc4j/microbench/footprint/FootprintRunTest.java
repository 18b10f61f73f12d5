package io.github.mimalloc4j.microbench.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The phases at a small scale, in this JVM. */
@Timeout(120)
class FootprintRunTest {
  private static final int MIB = 1 << 20;
  private static final FootprintPlan SMALL = new FootprintPlan(8 * MIB, Duration.ofMillis(60), 12);

  @ParameterizedTest
  @EnumSource
  void allPhasesAreSampledAndNothingStaysLive(AllocatorKind allocator) throws Exception {
    List<String> begun = new ArrayList<>();

    List<Sample> samples = new FootprintRun(allocator.name(), SMALL).measure(begun::add).samples();

    assertThat(begun)
        .containsExactlyElementsOf(Arrays.stream(Phase.values()).map(Phase::title).toList());
    assertThat(samples.stream().map(Sample::phase).distinct()).containsExactly(Phase.values());
    assertThat(samples.stream().map(Sample::phase)).isSorted();
    assertThat(samples.stream().map(Sample::micros)).isSorted();
    assertThat(samples).allSatisfy(sample -> assertThat(sample.used()).isNotNegative());
    assertThat(samples.get(samples.size() - 1).live()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"MIMALLOC", "ADAPTIVE"})
  void phasesLeaveBehindWhatTheyShould(AllocatorKind allocator) throws Exception {
    Timeline timeline =
        new Timeline(new FootprintRun(allocator.name(), SMALL).measure(phase -> {}).samples());

    for (Phase phase : Phase.values()) {
      long live = timeline.end(phase).live();
      switch (phase) {
        case STEADY -> assertThat(live).isBetween(SMALL.steadyBytes() / 2, SMALL.steadyBytes() * 2);
        // Each loop has at least one large buffer of up to 8 MiB, which may be the tenth.
        case SCATTER, SCATTER_IDLE -> assertThat(live).isBetween(1L, SMALL.scatterBytes());
        default -> assertThat(live).as(phase.title()).isZero();
      }
    }
    // The steady phase's buffers stay live through the burst; the last one of each set may exceed.
    assertThat(timeline.peakLive(Phase.BURST))
        .isBetween(SMALL.burstBytes(), SMALL.burstBytes() + 8 * MIB);
    assertThat(timeline.peakLive(Phase.CROSS_THREAD))
        .isGreaterThanOrEqualTo(SMALL.lastHandoverBytes());
    assertThat(timeline.peakLive(Phase.CHURN))
        .as("ten threads at a time leave about 1 MiB each behind")
        .isGreaterThan(8 * MIB);
    assertThat(timeline.peakUsed(Phase.BURST))
        .isGreaterThanOrEqualTo(timeline.peakLive(Phase.BURST));
  }
}
