package io.github.mimalloc4j.netty.support;

/**
 * The seed of a random test: another one in each run, unless {@code -Dmimalloc4j.seed} names it. A
 * failure tells it.
 */
public final class Seed {

  private static final String PROPERTY = "mimalloc4j.seed";

  private Seed() {}

  public interface Body {
    void run(long seed) throws Exception;
  }

  public static void with(Body body) {
    long seed = Long.getLong(PROPERTY, System.nanoTime());
    try {
      body.run(seed);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("-D" + PROPERTY + "=" + seed + ": " + e, e);
    }
  }
}
