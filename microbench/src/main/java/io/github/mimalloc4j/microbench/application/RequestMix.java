package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.workload.SizePattern;
import java.util.Random;

/**
 * The requests of a load; the same for all allocators and in all runs.
 *
 * <p>One half are {@code GET /plaintext}, the other half {@code POST /echo} with bodies of the
 * sizes of an HTTP service: Pareto from 1 KiB with a shape of 1.2, cut at 4 MiB. The median is 1.8
 * KiB, the mean about 5 KiB. They are the bodies in the data file of {@code HTTP_SERVICE}; that
 * pattern as a whole has the sizes of all buffers of a service, which the server under load makes
 * for itself: heads, read buffers and TLS records.
 */
final class RequestMix {
  /** The size that says that a request has no body: it is {@code GET /plaintext}. */
  static final int NO_BODY = Wrk.GET;

  static final int LARGEST = 4 << 20;
  static final int SMALLEST = 1 << 10;

  /** The requests before the first comes again: enough for bodies above 1 MiB. */
  private static final int COUNT = 1 << 14;

  /** The sizes of the bodies, as {@link SizePattern#of} reads them. */
  static final String BODIES = "pareto " + SMALLEST + " 1.2 " + LARGEST;

  /** With this one, two bodies are above 1 MiB: as many as are to be expected. */
  private static final int BODY_SEED = 7;

  private static final int CHOICE_SEED = 15;

  private RequestMix() {}

  static int[] draw() {
    int[] sizes = SizePattern.of(BODIES).draw(COUNT, BODY_SEED);
    Random random = new Random(CHOICE_SEED);
    for (int i = 0; i < COUNT; i++) {
      if (random.nextBoolean()) {
        sizes[i] = NO_BODY;
      }
    }
    return sizes;
  }
}
