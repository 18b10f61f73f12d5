package io.github.mimalloc4j.microbench.footprint;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** One allocator's samples, by phase. Each phase has some. */
final class Timeline {
  private final Map<Phase, List<Sample>> samples = new EnumMap<>(Phase.class);

  /**
   * Figures of a phase, in bytes.
   *
   * @param peakUsed the highest used
   * @param peakLive the highest live
   * @param endUsed used when the phase ended
   * @param endLive live when the phase ended
   * @param endResident resident when the phase ended, where the system tells
   */
  record Figures(
      long peakUsed, long peakLive, long endUsed, long endLive, OptionalLong endResident) {}

  Timeline(List<Sample> all) {
    for (Phase phase : Phase.values()) {
      List<Sample> own = all.stream().filter(sample -> sample.phase() == phase).toList();
      if (own.isEmpty()) {
        throw new IllegalArgumentException("no samples of the phase " + phase.title());
      }
      samples.put(phase, own);
    }
  }

  List<Sample> samples(Phase phase) {
    return samples.get(phase);
  }

  Figures figures(Phase phase) {
    List<Sample> own = samples(phase);
    Sample last = own.get(own.size() - 1);
    return new Figures(
        own.stream().mapToLong(Sample::used).max().getAsLong(),
        own.stream().mapToLong(Sample::live).max().getAsLong(),
        last.used(),
        last.live(),
        last.resident());
  }

  /** Microseconds from the beginning of a phase to a sample of it. */
  long microsWithin(Sample sample) {
    return sample.micros() - samples(sample.phase()).get(0).micros();
  }

  private long length(Phase phase) {
    List<Sample> own = samples(phase);
    return microsWithin(own.get(own.size() - 1));
  }

  /**
   * When each phase begins on an axis that is common to all: as late as the slowest of them needs.
   *
   * @return microseconds, by the phase's ordinal number, and the end of the last as one number more
   */
  static long[] commonStarts(Collection<Timeline> timelines) {
    long[] starts = new long[Phase.values().length + 1];
    for (Phase phase : Phase.values()) {
      long longest = timelines.stream().mapToLong(one -> one.length(phase)).max().orElse(0);
      starts[phase.ordinal() + 1] = starts[phase.ordinal()] + longest;
    }
    return starts;
  }
}
