package io.github.mimalloc4j.netty.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.Run;
import io.github.mimalloc4j.core.memory.SegmentListener;
import io.github.mimalloc4j.core.memory.SegmentPool;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.netty.util.internal.InternalThreadLocalMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The end of the Java heap, where an object is made that must not be lost or missed. */
@Tag("same-without-unsafe")
class FullJavaHeapTest {

  /** Steps of 16 bytes; the objects take about 130. */
  private static final int MIN_FAILURES = 6;

  /** At each object that the pool makes for a segment of one run. */
  @Test
  void memoryIsFreedOnceWhateverCouldNotBeMade() {
    OtherJvm jvm = OtherJvm.run(Sweep.class, "-Xmx8m", "-XX:-UseTLAB").assertSucceeded();
    String failures = jvm.output().replaceAll("(?s).*failures: ", "").trim();
    assertThat(Integer.parseInt(failures)).isGreaterThanOrEqualTo(MIN_FAILURES);
  }

  /** Where the thread-locals of an event loop are to get room for another one. */
  @Test
  void aThreadOwnsNoHeapThatItCannotFindAgain() {
    OtherJvm.run(FullThreadLocals.class, "-Xmx16m").assertSucceeded();
  }

  static final class FullThreadLocals {

    /** With so many, Netty's array for their values takes 32 MiB. */
    private static final int THREAD_LOCALS = 1 << 22;

    private FullThreadLocals() {}

    public static void main(String[] args) {
      DefaultEventExecutor executor =
          new DefaultEventExecutor(new DefaultThreadFactory("full", true));
      executor.submit(() -> {}).syncUninterruptibly(); // it has what it needs itself
      while (InternalThreadLocalMap.lastVariableIndex() < THREAD_LOCALS) {
        InternalThreadLocalMap.nextVariableIndex();
      }
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.builder().build();
      for (int i = 0; i < 5; i++) {
        Future<ByteBuf> buffer = executor.submit(() -> allocator.directBuffer(100));
        if (!(buffer.awaitUninterruptibly().cause() instanceof OutOfMemoryError)) {
          throw new AssertionError("expected the end of the Java heap", buffer.cause());
        }
      }
      int owned = allocator.metric().direct().threadHeaps().owned();
      if (owned != 0) {
        throw new AssertionError(owned + " heaps are owned");
      }
      executor.shutdownGracefully(0, 1, TimeUnit.MINUTES).syncUninterruptibly();
    }
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
