package io.github.mimalloc4j.microbench.endtoend;

import java.util.Random;

/**
 * The requests of a load; the same for all allocators and in all runs.
 *
 * <p>One half are {@code GET /plaintext}, the other half {@code POST /echo} with bodies of the
 * sizes of an HTTP service: Pareto from 1 KiB with a shape of 1.2, cut at 4 MiB. The median is 1.8
 * KiB, the mean about 5 KiB.
 */
final class RequestMix {
  /** The size that says that a request has no body: it is {@code GET /plaintext}. */
  static final int NO_BODY = -1;

  /** The largest body, in bytes. */
  static final int LARGEST = 4 << 20;

  /** The smallest body, in bytes. */
  static final int SMALLEST = 1 << 10;

  /** The median of the bodies, in bytes: {@code SMALLEST * 2^(1/SHAPE)}. */
  static final int MEDIAN = 1824;

  /** The requests before the first comes again: enough for a few bodies above 1 MiB. */
  static final int COUNT = 1 << 14;

  private static final double SHAPE = 1.2;
  private static final int SEED = 14;

  private RequestMix() {}

  /** The sizes of the bodies in bytes, or {@link #NO_BODY}. */
  static int[] draw() {
    Random random = new Random(SEED);
    int[] sizes = new int[COUNT];
    for (int i = 0; i < COUNT; i++) {
      sizes[i] = random.nextBoolean() ? NO_BODY : size(1 - random.nextDouble());
    }
    return sizes;
  }

  /**
   * The size of a body.
   *
   * @param share of the bodies that are as large or larger; above 0, at most 1
   */
  static int size(double share) {
    return (int) Math.min(LARGEST, SMALLEST * Math.pow(share, -1 / SHAPE));
  }
}
