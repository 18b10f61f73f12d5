package io.github.mimalloc4j.microbench.trace;

import java.util.List;
import java.util.Map;

/**
 * What a trace is about.
 *
 * @param operations how many there are to replay
 * @param slots how many numbers buffers have; less than 2^31
 * @param lanes the roles of the threads that replay
 * @param threads how many recorded threads used buffers
 * @param sizes how often a block of a size was asked for, by allocations and reallocations
 * @param lifetimes of buffers that their own thread released: how many lived from 2^i ns up to
 *     2^(i+1), i being the index
 * @param othersLifetimes the same of buffers that another thread released
 * @param liveBytes the most bytes that were live in each of equal parts of the recording
 */
public record TraceSummary(
    RecordedFacts facts,
    LifeCounts counts,
    long operations,
    int slots,
    List<ThreadRole> lanes,
    int threads,
    Map<Integer, Long> sizes,
    List<Long> lifetimes,
    List<Long> othersLifetimes,
    List<Long> liveBytes) {
  /** Buffers that were both allocated and released in the recording. */
  public long released() {
    return sum(lifetimes) + releasedByOthers();
  }

  /** How many of these another thread released; at least so many if some have no address. */
  public long releasedByOthers() {
    return sum(othersLifetimes);
  }

  private static long sum(List<Long> counts) {
    return counts.stream().mapToLong(Long::longValue).sum();
  }
}
