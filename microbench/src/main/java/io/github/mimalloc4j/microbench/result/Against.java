package io.github.mimalloc4j.microbench.result;

/**
 * A figure of another allocator beside ours.
 *
 * @param measure which figure; less is better
 * @param ratio its figure divided by ours
 */
public record Against(
    String benchmark, String parameters, String allocator, String measure, Spread ratio) {

  public boolean isLoss() {
    return ratio.middle() < 1;
  }

  /** The same with what tells one run of a command from others. */
  public Against ofRun(String which) {
    return new Against(benchmark, parameters + which, allocator, measure, ratio);
  }
}
