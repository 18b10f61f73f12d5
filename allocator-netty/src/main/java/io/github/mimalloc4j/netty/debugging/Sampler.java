package io.github.mimalloc4j.netty.debugging;

/**
 * Decides which blocks to sample. Each byte is sampled with the same small probability, and a block
 * is sampled if any of its bytes is. The decisions are independent of each other, so threads share
 * no state.
 *
 * <p>Immutable.
 */
final class Sampler {

  private final double samplesPerByte;

  /** Creates a sampler with a mean number of bytes from one sample to the next, 1 or more. */
  Sampler(long meanBytes) {
    samplesPerByte = 1.0 / meanBytes;
  }

  /**
   * Returns whether to sample a block.
   *
   * @param uniform a random number from 0, inclusive, to 1, exclusive
   */
  boolean takes(int blockBytes, double uniform) {
    // The mean number of sampled bytes is at least the probability that there is one.
    return uniform < blockBytes * samplesPerByte && uniform < probability(blockBytes);
  }

  /** Returns the probability with which a block is sampled: 1 - exp(-bytes / mean). */
  double probability(int blockBytes) {
    return -Math.expm1(-blockBytes * samplesPerByte);
  }
}
