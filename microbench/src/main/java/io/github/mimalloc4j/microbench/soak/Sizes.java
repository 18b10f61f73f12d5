package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.core.heap.SizeClasses;
import java.util.SplittableRandom;

/**
 * Sizes of buffers, in bytes: half of them from 16 to 31, each doubling above half as frequent as
 * the one before, up to 16 MiB; among them the limits of all size classes, and the smallest sizes.
 */
final class Sizes {
  /** Above the largest size that the allocator shares memory for. */
  private static final int LARGEST = 16 << 20;

  /** Half of the sizes lie between this and its double. */
  private static final int SMALLEST = 16;

  private static final int MOST_DOUBLINGS = Integer.numberOfTrailingZeros(LARGEST / SMALLEST);

  private static final int ONE_AT_LIMIT_IN = 16;
  private static final int ONE_TINY_IN = 32;
  private static final int TINY = 9;

  private static final int FEW_LARGE_LIVES = 18;
  private static final int MOST_LARGER_BITS = 5;

  /** By so many doublings all sizes are larger. */
  private final int largerBits;

  /** Draws the sizes of one life: of a few lives all are larger, so that memory fills up. */
  Sizes(SplittableRandom random) {
    int bits = random.nextInt(FEW_LARGE_LIVES + MOST_LARGER_BITS + 1) - FEW_LARGE_LIVES;
    largerBits = Math.max(0, bits);
  }

  int draw(SplittableRandom random) {
    if (random.nextInt(ONE_AT_LIMIT_IN) == 0) {
      return atLimit(random);
    }
    if (random.nextInt(ONE_TINY_IN) == 0) {
      return random.nextInt(TINY);
    }
    // The zeros that random bits end with: none in half the cases, one in a quarter of them, ...
    int doublings = Math.min(MOST_DOUBLINGS, Long.numberOfTrailingZeros(random.nextLong()));
    int least = SMALLEST << doublings;
    return Math.min(LARGEST, (least + random.nextInt(least)) << largerBits);
  }

  /** A size class's block, or one byte less or more; small ones are more frequent. */
  private static int atLimit(SplittableRandom random) {
    int classes = SizeClasses.count();
    int bin = Math.min(random.nextInt(classes), random.nextInt(classes));
    return SizeClasses.blockBytes(bin) + random.nextInt(3) - 1;
  }
}
