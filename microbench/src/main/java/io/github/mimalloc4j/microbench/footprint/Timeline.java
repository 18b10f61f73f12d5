package io.github.mimalloc4j.microbench.footprint;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One allocator's samples, by phase. Each phase has some. */
final class Timeline {
  private final Map<Phase, List<Sample>> samples = new EnumMap<>(Phase.class);

  Timeline(List<Sample> all) {
    for (Phase phase : Phase.values()) {
      List<Sample> own = all.stream().filter(sample -> sample.phase() == phase).toList();
      if (own.isEmpty()) {
        throw new IllegalArgumentException("it has no samples of the phase " + phase.title());
      }
      samples.put(phase, own);
    }
  }

  List<Sample> samples(Phase phase) {
    return samples.get(phase);
  }

  /** Null if the allocator does not tell. */
  @Nullable Long peakUsed(Phase phase) {
    return max(phase, Sample::used);
  }

  long peakLive(Phase phase) {
    return samples(phase).stream().mapToLong(Sample::live).max().orElseThrow();
  }

  /** Null where the system does not tell. */
  @Nullable Long peakResident(Phase phase) {
    return max(phase, Sample::resident);
  }

  private @Nullable Long max(Phase phase, Function<Sample, @Nullable Long> measure) {
    return samples(phase).stream()
        .map(measure)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** What a phase left. */
  Sample end(Phase phase) {
    return samples(phase).get(samples(phase).size() - 1);
  }

  /** Microseconds from the beginning of a phase to a sample of it. */
  long microsWithin(Sample sample) {
    return sample.micros() - samples(sample.phase()).get(0).micros();
  }

  /**
   * When each phase begins on an axis that is common to all: as late as the slowest of them needs.
   *
   * @return microseconds, by the phase's ordinal number, and the end of the last as one number more
   */
  static long[] commonStarts(Collection<Timeline> timelines) {
    long[] starts = new long[Phase.values().length + 1];
    for (Phase phase : Phase.values()) {
      long longest =
          timelines.stream().mapToLong(one -> one.microsWithin(one.end(phase))).max().orElse(0);
      starts[phase.ordinal() + 1] = starts[phase.ordinal()] + longest;
    }
    return starts;
  }
}
