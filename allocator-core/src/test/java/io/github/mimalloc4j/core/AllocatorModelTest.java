package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.SizeClasses;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations of several threads' heaps, one at a time, against a map of what is in use.
 *
 * <p>One thread plays all parts: a part is a thread object that owns a heap while its operation is
 * run by handing the ownership over, so that each run can be repeated. {@code -Dmimalloc4j.seed=N}
 * repeats the run that printed N.
 */
class AllocatorModelTest {

  private static final int OPERATIONS = 60_000;

  /** Trims take several steps, so that much happens in their midst. */
  private static final int TRIM_PORTION = 20;

  private final TestAllocator test = newAllocator();
  private final BlockAllocator<TestBlock> allocator = test.allocator;
  private final LiveBlocks live = new LiveBlocks();

  private static TestAllocator newAllocator() {
    TestAllocator test = new TestAllocator(MemoryPolicy.DEFAULT, TRIM_PORTION);
    test.source.freedByCollector = true; // no block may be used that has forgotten its memory
    return test;
  }

  static List<Long> seeds() {
    Long seed = Long.getLong("mimalloc4j.seed");
    Random random = new Random();
    return seed != null ? List.of(seed) : List.of(random.nextLong(), random.nextLong(), 1L);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void blocksInUseNeverOverlapAndAllMemoryComesBack(long seed) {
    try {
      run(new Random(seed));
    } catch (Throwable t) {
      throw new AssertionError("repeat with -Dmimalloc4j.seed=" + seed, t);
    }
  }

  private void run(Random random) {
    Heap<TestBlock> heap = test.acquire();
    int[] sizes = sizes(random);
    for (int i = 0; i < OPERATIONS; i++) {
      // Waves, so that pages and segments fill and empty again.
      boolean growing = Math.sin(i / 5000.0) > -0.2;
      int choice = random.nextInt(100);
      if (choice < (growing ? 52 : 42)) {
        int size = sizes[random.nextInt(sizes.length)];
        boolean shared = random.nextInt(4) == 0;
        TestBlock block = shared ? allocator.allocateShared(size) : heap.allocate(size);
        live.add(block, size);
      } else if (choice < 98 && !live.isEmpty()) {
        release(random);
      } else if (choice == 98 && random.nextInt(20) == 0) {
        allocator.abandon(heap);
        live.check(test);
        heap = test.acquire();
      } else if (choice == 99 && random.nextInt(20) == 0) {
        heap.trim();
        allocator.trim();
      } else if (choice == 99 && random.nextInt(2) == 0) {
        test.ownerUpkeep.runAll();
        test.upkeep.runOnce();
        live.check(test); // after upkeep, nothing may be missed any more
      } else if (choice == 99) {
        test.ownerUpkeep.runOnce();
        live.check(test); // in the midst of it
      }
      if (i % 100 == 0) {
        live.check(test);
      }
    }
    while (!live.isEmpty()) {
      release(random);
    }
    heap.trim();
    allocator.trim();
    live.check(test);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(test.source.usedBytes()).isZero();
  }

  private void release(Random random) {
    TestBlock block = live.remove(random.nextInt(live.count()));
    if (random.nextInt(3) == 0) {
      block.releaseDeferred(); // as another thread would
    } else {
      block.release();
    }
  }

  private static int[] sizes(Random random) {
    int[] sizes = new int[40];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = (int) Math.exp(random.nextDouble() * Math.log(1 << 18));
    }
    sizes[0] = 0;
    sizes[1] = SizeClasses.MAX_BLOCK_BYTES;
    sizes[2] = SizeClasses.MAX_BLOCK_BYTES + 1;
    sizes[3] = random.nextInt(10 << 20);
    return sizes;
  }
}
