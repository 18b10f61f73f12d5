package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.core.BlockAllocator;
import io.github.mimalloc4j.core.heap.Block;
import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What an allocation costs with much more live than a machine has: the core alone, over addresses
 * without memory behind them. Blocks of 16 KiB to 1 MiB, as many of each order of magnitude; a
 * random one is replaced. Each thread owns a heap and an equal share of what is live.
 *
 * <p>What a program would add are the misses of the caches and of the address translation, which
 * the same work with real memory shows: {@code AllocationPatternBenchmark -p sizes="loguniform
 * 16384 1048576"}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsPrepend = {ForkOptions.GC, "-Xmx8g"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScaleBenchmark {

  private static final int SMALLEST = 16 << 10;
  private static final int ORDERS = 64; // to 1 MiB
  private static final int SIZES = 1 << 16; // a power of two

  /** The bytes of a block that has a segment to itself. */
  private static final int HUGE = 9 << 20;

  /** The allocator, and how much is live in it. */
  @State(Scope.Benchmark)
  public static class Scale {

    /** Live bytes, in GiB, of all threads together: 1024 takes half a minute to fill. */
    @Param("1")
    public int gibibytes;

    private volatile boolean full;

    private final BlockAllocator<AddressBlock> allocator =
        new BlockAllocator<>(
            this::obtain,
            MemoryPolicy.DEFAULT,
            1,
            AddressBlock::new,
            (task, delayMillis) -> {},
            releases -> {});

    private Memory obtain(int bytes) {
      if (full && bytes != HUGE) {
        throw new OutOfMemoryError("full");
      }
      return () -> {};
    }
  }

  /** A thread's heap and live blocks. */
  @State(Scope.Thread)
  public static class Share {

    private Heap<AddressBlock> heap;
    private AddressBlock[] live;
    private SplittableRandom random;
    private final int[] sizes = new int[SIZES]; // drawn before: that takes as long as an allocation
    private int drawn;

    /** Fills the share, and replaces each block some times. */
    @Setup
    public void fill(Scale scale, ThreadParams threads) {
      random = new SplittableRandom(threads.getThreadIndex());
      Arrays.setAll(sizes, i -> (int) (SMALLEST * Math.pow(ORDERS, random.nextDouble())));
      heap = scale.allocator.acquire((task, delayMillis) -> {});
      long left = ((long) scale.gibibytes << 30) / threads.getThreadCount();
      live = new AddressBlock[1 << 16];
      int count = 0;
      while (left > 0) {
        if (count == live.length) {
          live = Arrays.copyOf(live, 2 * count);
        }
        live[count] = heap.allocate(size());
        left -= live[count++].page.blockBytes();
      }
      live = Arrays.copyOf(live, count);
      for (int i = 0; i < 3 * count; i++) {
        replace();
      }
    }

    private AddressBlock replace() {
      int victim = random.nextInt(live.length);
      live[victim].release(heap);
      return live[victim] = heap.allocate(size());
    }

    /** Returns the bytes of the two blocks that change places. */
    private int swap() {
      int one = random.nextInt(live.length);
      int other = random.nextInt(live.length);
      AddressBlock block = live[one];
      live[one] = live[other];
      live[other] = block;
      return live[one].page.blockBytes() + block.page.blockBytes();
    }

    private int size() {
      return sizes[drawn++ & (SIZES - 1)];
    }
  }

  @Benchmark
  public AddressBlock replaceRandomBlock(Share share) {
    return share.replace();
  }

  /**
   * The floor: what so many live blocks cost a program that takes and releases none. Two random
   * ones change places, and of each the page is looked at, as a release does.
   */
  @Benchmark
  public int swapRandomBlocks(Share share) {
    return share.swap();
  }

  /** A thread's share of an allocator that gets no more memory. */
  @State(Scope.Thread)
  public static class FullShare {

    private Heap<AddressBlock> heap;
    private AddressBlock huge;

    /** Takes the last room for another block, also what only some allocations search for. */
    @Setup
    public void fill(Scale scale, Share share, ThreadParams threads) {
      if (threads.getThreadCount() > 1) {
        throw new IllegalArgumentException("failures are measured with one thread: -t 1");
      }
      scale.full = true;
      heap = share.heap;
      huge = heap.allocate(HUGE);
      int failures = 0;
      while (failures < 1000) {
        try {
          heap.allocate(SizeClasses.MAX_BLOCK_BYTES);
          failures = 0;
        } catch (OutOfMemoryError e) {
          failures++;
        }
      }
    }

    private void turnOver() {
      huge.release(heap);
      huge = heap.allocate(HUGE);
    }

    private OutOfMemoryError fail() {
      try {
        heap.allocate(SizeClasses.MAX_BLOCK_BYTES);
      } catch (OutOfMemoryError e) {
        return e;
      }
      throw new IllegalStateException("there was memory");
    }
  }

  /** As {@link #failToAllocate}, but a segment goes back before and is obtained again. */
  @Benchmark
  public OutOfMemoryError failToAllocateAfterTurnover(FullShare share) {
    share.turnOver();
    return share.fail();
  }

  /** An allocation that fails, at the limit, where nothing is released. */
  @Benchmark
  public OutOfMemoryError failToAllocate(FullShare share) {
    return share.fail();
  }

  /** A block with nothing but its place. Its owner alone releases it. */
  public static final class AddressBlock implements Block {

    private final Page<AddressBlock> page;
    private final int slot;

    AddressBlock(Page<AddressBlock> page, int slot, Memory memory, int offset) {
      this.page = page;
      this.slot = slot;
    }

    private void release(Heap<AddressBlock> owner) {
      if (page.heap() == owner) {
        owner.release(page, slot);
      } else {
        Heap.releaseDeferred(page, slot);
      }
    }

    @Override
    public boolean free(Page<?> page, int slot) {
      return true;
    }

    @Override
    public boolean reclaim(Page<?> page, int slot) {
      return true;
    }

    @Override
    public boolean isDeferred(Page<?> page, int slot) {
      return true; // the page has counted it
    }
  }
}
