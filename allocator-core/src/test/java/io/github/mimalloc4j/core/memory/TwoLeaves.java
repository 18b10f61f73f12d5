package io.github.mimalloc4j.core.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * A pool whose index has two leaves. In the second one are two segments of one run each, which two
 * threads release: one of them tells the node above, for both.
 */
final class TwoLeaves {

  private final SegmentPool pool =
      new SegmentPool(bytes -> () -> {}, MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
  private final List<Run> others = new ArrayList<>();
  private final Run ours;
  private final Run theirs;

  TwoLeaves() {
    for (int i = 0; i < IndexNode.WIDTH; i++) {
      others.add(claim());
    }
    ours = claim();
    theirs = claim();
  }

  private Run claim() {
    return pool.claimLarge(1 << 20);
  }

  void releaseAndClose() {
    ours.release();
    pool.close();
  }

  void release() {
    theirs.release();
  }

  /** Returns whether nothing is left once all runs are released. */
  boolean isEmptyAtLast() {
    others.forEach(Run::release);
    return pool.usedBytes() == 0;
  }
}
