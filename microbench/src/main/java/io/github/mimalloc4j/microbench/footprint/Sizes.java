package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.SizePattern;
import java.util.Random;
import java.util.function.ToIntFunction;

/** The sizes of buffers, in bytes. The same random numbers give the same sizes. */
final class Sizes {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private static final int DRAWN = 1 << 14;
  private static final int DRAW_SEED = 7;

  private static final int[] WEB_SOCKET = SizePattern.webSocketProxy().draw(DRAWN, DRAW_SEED);

  private static final int ONE_LARGE_IN = 8;

  private static final int LARGEST = 8 * MIB;
  private static final int SMALLEST_LARGE = 128 * KIB;

  private Sizes() {}

  /** A WebSocket proxy's: 9 B to 17 KB, 2.5 KB on average. */
  static ToIntFunction<Random> webSocketProxy() {
    return random -> WEB_SOCKET[random.nextInt(DRAWN)];
  }

  /** Messages and downloads: 64 B to 20 KB, and 1 in 8 of 0.2 to 1.2 MB; 96 KB on average. */
  static ToIntFunction<Random> burst() {
    return random ->
        random.nextInt(ONE_LARGE_IN) == 0
            ? between(random, 200_000, 1_200_000)
            : between(random, 64, 20_000);
  }

  /** 128 KiB to 8 MiB, as many below 1 MiB as above; 1.9 MiB on average. */
  static ToIntFunction<Random> large() {
    double ratio = (double) LARGEST / SMALLEST_LARGE;
    return random -> (int) (SMALLEST_LARGE * Math.pow(ratio, random.nextDouble()));
  }

  private static int between(Random random, int smallest, int largest) {
    return smallest + random.nextInt(largest - smallest + 1);
  }
}
