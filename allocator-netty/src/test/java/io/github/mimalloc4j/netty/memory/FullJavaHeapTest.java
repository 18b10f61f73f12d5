package io.github.mimalloc4j.netty.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.netty.support.OtherJvm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of the Java heap, at each object that the pool makes for a segment of one run. */
@Tag("same-without-unsafe")
class FullJavaHeapTest {

  /** Steps of 16 bytes; the objects take about 130. */
  private static final int MIN_FAILURES = 6;

  @Test
  void memoryIsFreedOnceWhateverCouldNotBeMade() {
    OtherJvm jvm = OtherJvm.run(Sweep.class, "-Xmx8m", "-XX:-UseTLAB").assertSucceeded();
    String failures = jvm.output().replaceAll("(?s).*failures: ", "").trim();
    assertThat(Integer.parseInt(failures)).isGreaterThanOrEqualTo(MIN_FAILURES);
  }

  static final class Sweep {

    private static final int MOST_STEPS = 100;
    private static final int FILLS = 5;
    private static final int SWEEPS = 10;
    private static final int HUGE = MemoryPolicy.DEFAULT.sizing().maxBytes() + 1;

    private static final Piece[] pieces = new Piece[3 * MOST_STEPS];
    private static int given;
    private static @Nullable Filler filler;

    private Sweep() {}

    public static void main(String[] args) {
      for (int i = 0; i < pieces.length; i++) {
        pieces[i] = new Piece();
      }
      SegmentPool pool =
          new SegmentPool(
              bytes -> pieces[given++], MemoryPolicy.DEFAULT, () -> {}, SegmentListener.NONE);
      pool.claimLarge(HUGE).release(); // loads the classes
      pool.purge();
      int step = 0;
      for (int i = 0; i < SWEEPS && step == 0; i++) { // what the JVM does may have made room
        while (!claims(pool, step)) {
          check(pool);
          step++;
        }
      }
      check(pool);
      System.out.println("failures: " + step);
    }

    /** Claims a run with just so much Java heap left, and releases it. */
    private static boolean claims(SegmentPool pool, int step) {
      Run run = null;
      fill();
      for (int i = 0; i < step; i++) {
        filler = filler.next;
      }
      try {
        run = pool.claimLarge(HUGE);
      } catch (OutOfMemoryError e) {
        // Tried again with 16 bytes more.
      }
      filler = null;
      if (run != null) {
        run.release();
      }
      return run != null;
    }

    private static void fill() {
      try {
        while (true) {
          filler = new Block(filler);
        }
      } catch (OutOfMemoryError e) {
        filler = filler.next; // room for small ones
      }
      for (int i = 0; i < FILLS; i++) {
        try {
          while (true) {
            filler = new Filler(filler);
          }
        } catch (OutOfMemoryError e) {
          // Perhaps there is room in another part of the heap.
        }
      }
    }

    private static void check(SegmentPool pool) {
      for (int i = 0; i < given; i++) {
        if (pieces[i].frees != 1) {
          throw new AssertionError(i + " was freed " + pieces[i].frees + " times");
        }
      }
      if (pool.usedBytes() != 0 || pool.dedicatedBytes() != 0) {
        throw new AssertionError(pool.usedBytes() + " used, " + pool.dedicatedBytes());
      }
    }
  }

  /** 16 bytes. */
  private static class Filler {

    final @Nullable Filler next;

    Filler(@Nullable Filler next) {
      this.next = next;
    }
  }

  private static final class Block extends Filler {

    final byte[] bytes = new byte[1 << 16];

    Block(@Nullable Filler next) {
      super(next);
    }
  }

  private static final class Piece implements Memory {

    private int frees;

    @Override
    public void free() {
      frees++;
    }
  }
}
