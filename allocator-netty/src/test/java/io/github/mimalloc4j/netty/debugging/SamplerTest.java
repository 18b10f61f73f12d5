package io.github.mimalloc4j.netty.debugging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which blocks are sampled: enough to tell how many there were, whatever their size. */
class SamplerTest {

  private static final long SEED = 20_261_123;

  /** With 10,000 samples the standard deviation is at most one percent. */
  @ParameterizedTest
  @CsvSource({
    "1, 16",
    "1000, 16",
    "1000, 256",
    "1000, 999",
    "1000, 1000",
    "1000, 4096",
    "4194304, 1048576",
    "4194304, 4194304",
    "4194304, 33554432",
    "1048576, 32768",
    "9223372036854775807, 16"
  })
  void samplesTellHowManyBlocksThereWere(long meanBytes, int blockBytes) {
    Sampler sampler = new Sampler(meanBytes);
    double probability = sampler.probability(blockBytes);
    if (probability < 1e-6) {
      assertThat(probability * meanBytes / blockBytes).isEqualTo(1, within(1e-6));
      return; // nobody waits for ten thousand of them
    }
    long blocks = (long) (10_000 / probability);
    SplittableRandom random = new SplittableRandom(SEED);
    long samples = 0;
    for (long i = 0; i < blocks; i++) {
      if (sampler.takes(blockBytes, random.nextDouble())) {
        samples++;
      }
    }
    assertThat(samples / probability).isCloseTo(blocks, Percentage.withPercentage(5));
  }

  @Test
  void smallBlocksAreSampledOnceInTheMean() {
    Sampler sampler = new Sampler(100_000);
    SplittableRandom random = new SplittableRandom(SEED);
    long bytes = 0;
    int samples = 0;
    while (samples < 10_000) {
      int block = 16 + random.nextInt(1000);
      bytes += block;
      samples += sampler.takes(block, random.nextDouble()) ? 1 : 0;
    }
    assertThat((double) bytes / samples).isCloseTo(100_000, Percentage.withPercentage(5));
  }

  @Test
  void bytesOfMixedSizesAreEstimatedRight() {
    Sampler sampler = new Sampler(50_000);
    SplittableRandom random = new SplittableRandom(SEED);
    long bytes = 0;
    double estimated = 0;
    for (int i = 0; i < 1_000_000; i++) {
      int block = 16 << random.nextInt(14);
      bytes += block;
      if (sampler.takes(block, random.nextDouble())) {
        estimated += block / sampler.probability(block);
      }
    }
    assertThat(estimated).isCloseTo(bytes, Percentage.withPercentage(5));
  }

  @Test
  void ofAMeanOfOneByteEveryBlockIsASample() {
    Sampler sampler = new Sampler(1);
    assertThat(sampler.takes(48, Math.nextDown(1.0))).isTrue();
    assertThat(sampler.probability(48)).isOne();
  }
}
