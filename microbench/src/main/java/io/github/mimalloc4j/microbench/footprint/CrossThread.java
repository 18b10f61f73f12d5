package io.github.mimalloc4j.microbench.footprint;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;

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

  private final PhaseContext context;
  private final LiveMemory memory;
  private final SpscUnboundedAtomicArrayQueue<ByteBuf> passed =
      new SpscUnboundedAtomicArrayQueue<>(2 * LONGEST_BATCH);

  CrossThread(PhaseContext context) {
    this.context = context;
    memory = context.memory();
  }

  void run() throws Exception {
    for (int size : SIZES) {
      int length = Math.min(LONGEST_BATCH, BATCH_BYTES / size);
      context.paced(
          SHARE,
          step -> {
            Future<?> next = allocate(length, size);
            // Those of the step before; none in the first.
            passed.drain(memory::release, step == 1 ? 0 : length);
            next.sync();
          });
      passed.drain(memory::release);
    }
    context.paced(SHARE, step -> singles());
    context.loops().onFirst(this::allocateMany).sync();
    context.atHeight().run();
    context.rest(SHARE);
    passed.drain(memory::release);
  }

  private Future<?> allocate(int count, int size) {
    return context
        .loops()
        .onFirst(
            () -> {
              for (int i = 0; i < count; i++) {
                passed.add(memory.allocate(size));
              }
            });
  }

  /** Never more than one buffer is live. */
  private void singles() throws InterruptedException {
    for (int i = 0; i < SINGLES; i++) {
      allocate(1, SINGLE_SIZE).sync();
      passed.drain(memory::release);
    }
  }

  private void allocateMany() {
    BufferSet set = new BufferSet(memory, BufferSet.BURST, SEED);
    set.fillTo(context.plan().lastHandoverBytes());
    passed.addAll(set.removeAll());
  }
}
