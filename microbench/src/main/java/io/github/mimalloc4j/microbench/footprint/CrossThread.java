package io.github.mimalloc4j.microbench.footprint;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * The phase in which one thread only allocates, an event loop, and another only releases, the
 * driving thread.
 */
final class CrossThread {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private static final int[] SIZES = {256, 4 * KIB, 64 * KIB, 1 * MIB};
  private static final int SINGLE_SIZE = 2 * MIB;

  /** A batch is on its way while another is released: at most so many bytes each. */
  private static final int BATCH_BYTES = 8 * MIB;

  private static final int LONGEST_BATCH = 1000;

  /** How many times a single buffer changes hands in one step. */
  private static final int SINGLES = 20;

  private static final double SHARE = 1.0 / (SIZES.length + 2);
  private static final int SEED = 500;

  private final Loops loops;
  private final Runnable atHeight;
  private final LiveMemory memory;
  private final FootprintPlan plan;

  /**
   * Prepares the phase.
   *
   * @param atHeight is run when no more is going to be live
   */
  CrossThread(Loops loops, LiveMemory memory, FootprintPlan plan, Runnable atHeight) {
    this.atHeight = atHeight;
    this.loops = loops;
    this.memory = memory;
    this.plan = plan;
  }

  void run() throws Exception {
    for (int size : SIZES) {
      batches(size);
    }
    Pacer.run(plan.steps(SHARE), plan.part(SHARE), step -> singles());
    List<ByteBuf> last = loops.onFirst(this::lastHandover).get();
    atHeight.run();
    Thread.sleep(plan.part(SHARE).toMillis());
    releaseAll(last);
  }

  /** Allocates the next batch while the one before is released. */
  private void batches(int size) throws Exception {
    int length = Math.min(LONGEST_BATCH, BATCH_BYTES / size);
    List<ByteBuf> arrived = new ArrayList<>();
    Pacer.run(
        plan.steps(SHARE),
        plan.part(SHARE),
        step -> {
          Future<List<ByteBuf>> next = loops.onFirst(() -> allocate(length, size));
          releaseAll(arrived);
          arrived.clear();
          arrived.addAll(next.get());
        });
    releaseAll(arrived);
  }

  /** Never more than one buffer is live. */
  private void singles() throws Exception {
    for (int i = 0; i < SINGLES; i++) {
      memory.release(loops.onFirst(() -> memory.allocate(SINGLE_SIZE)).get());
    }
  }

  private List<ByteBuf> lastHandover() {
    BufferSet set = new BufferSet(memory, Sizes.burst(), SEED);
    set.fillTo(plan.lastHandoverBytes());
    return set.removeAll();
  }

  private List<ByteBuf> allocate(int length, int size) {
    List<ByteBuf> batch = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      batch.add(memory.allocate(size));
    }
    return batch;
  }

  private void releaseAll(List<ByteBuf> batch) {
    batch.forEach(memory::release);
  }
}
