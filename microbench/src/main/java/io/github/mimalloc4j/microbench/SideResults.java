package io.github.mimalloc4j.microbench;

/**
 * What a benchmark finds out besides JMH's time: the highest memory use of the measured allocator,
 * and the processor time of the current iteration.
 *
 * <p>Static, because JMH makes benchmark states and profilers apart from each other; a fork
 * measures one allocator, so there is nothing to tell apart. Benchmarks record outside of what is
 * timed, {@link SideResultsProfiler} reports.
 */
final class SideResults {
  private static long peakUsed;
  private static long peakLive;
  private static long cpuNanos;

  private SideResults() {}

  /**
   * Takes a sample of the memory.
   *
   * @param used bytes that the allocator holds
   * @param live bytes that the benchmark asked for and has not released
   */
  static synchronized void memory(long used, long live) {
    peakUsed = Math.max(peakUsed, used);
    peakLive = Math.max(peakLive, live);
  }

  /** Takes note of processor time that one of the benchmark's threads took. */
  static synchronized void cpuTime(long nanos) {
    cpuNanos += nanos;
  }

  static synchronized void startIteration() {
    cpuNanos = 0;
  }

  static synchronized void reset() {
    peakUsed = 0;
    peakLive = 0;
    cpuNanos = 0;
  }

  static synchronized long peakUsed() {
    return peakUsed;
  }

  static synchronized long peakLive() {
    return peakLive;
  }

  static synchronized long cpuNanos() {
    return cpuNanos;
  }
}
