package io.github.mimalloc4j.microbench.result;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;

/**
 * A figure of another allocator beside ours.
 *
 * @param measure which figure; less is better
 * @param ratio its figure divided by ours
 */
public record Against(
    String benchmark, String parameters, String allocator, String measure, Spread ratio) {
  /** The allocator that all others are compared with: ours. */
  public static final String REFERENCE = AllocatorKind.MIMALLOC.name();

  public boolean isLoss() {
    return ratio.middle() < 1;
  }

  /** The same with what tells one run of a command from others. */
  public Against ofRun(String which) {
    return new Against(benchmark, parameters + which, allocator, measure, ratio);
  }
}
