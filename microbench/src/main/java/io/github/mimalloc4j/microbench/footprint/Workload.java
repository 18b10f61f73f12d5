package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.workload.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jctools.queues.atomic.SpscUnboundedAtomicArrayQueue;

/** What is done in each {@link Phase}. */
final class Workload {
  /** Per loop and step; about as many requests as a busy loop serves in this time. */
  private static final int STEADY_REPLACEMENTS = 1000;

  /** One buffer of so many is kept. */
  private static final int SCATTER_KEEP = 10;

  private static final int MIB = 1 << 20;
  private static final int[] CROSS_THREAD_SIZES = {256, 4 << 10, 64 << 10, MIB};
  private static final int SINGLE_SIZE = 2 * MIB;

  /** A batch is on its way while another is released: at most so many bytes each. */
  private static final int BATCH_BYTES = 8 * MIB;

  private static final int LONGEST_BATCH = 1000;

  /** How many times a single buffer changes hands in one step. */
  private static final int SINGLES = 20;

  private static final double CROSS_THREAD_SHARE = 1.0 / (CROSS_THREAD_SIZES.length + 2);

  private static final int CHURN_AT_A_TIME = 10;

  /** What is live when a thread ends, in bytes, and how many buffers it replaced before. */
  private static final int CHURN_LEFT_BEHIND = MIB;

  private static final int CHURN_REPLACEMENTS = 1000;

  private final Driver driver;
  private final FootprintPlan plan;

  /** To be run when no more is going to be live. */
  private final Callable<?> atHeight;

  private final BufferSet[] steady;
  private final BufferSet[] burst;
  private final BufferSet[] small;
  private final BufferSet[] large;

  Workload(Driver driver, Callable<?> atHeight) {
    this.driver = driver;
    this.atHeight = atHeight;
    plan = driver.plan;
    steady = BufferSet.onePerLoop(driver, BufferSet.WEB_SOCKET_PROXY, 100);
    burst = BufferSet.onePerLoop(driver, BufferSet.BURST, 200);
    small = BufferSet.onePerLoop(driver, BufferSet.WEB_SOCKET_PROXY, 300);
    large = BufferSet.onePerLoop(driver, BufferSet.LARGE, 400);
  }

  void idle() throws InterruptedException {
    driver.rest(1);
  }

  /** Leaves a live set behind, which the burst's end takes away. */
  void steady() throws Exception {
    driver.onEachLoop(loop -> steady[loop].fillTo(plan.steadyBytes() / Driver.LOOPS));
    driver.paced(1, step -> driver.onEachLoop(loop -> steady[loop].replace(STEADY_REPLACEMENTS)));
  }

  /** Leaves nothing behind. */
  void burst() throws Exception {
    rise(0.4, plan.burstBytes(), burst);
    atHeight.call();
    driver.rest(0.2);
    fall(0.4, 0, burst, steady);
  }

  /** Leaves a random tenth of the buffers behind. */
  void scatter() throws Exception {
    rise(0.5, plan.scatterBytes(), small, large);
    atHeight.call();
    fall(0.5, 1.0 / SCATTER_KEEP, small, large);
  }

  /** Releases the tenth. */
  void end() throws InterruptedException {
    driver.onEachLoop(
        loop -> {
          small[loop].shrinkTo(0);
          large[loop].shrinkTo(0);
        });
    idle();
  }

  /** Lets each of the kinds of sets grow to its equal part of the bytes, over all loops. */
  private void rise(double share, long bytes, BufferSet[]... kinds) throws Exception {
    int steps = plan.steps(share);
    long target = bytes / Driver.LOOPS / kinds.length;
    driver.paced(
        share,
        step ->
            driver.onEachLoop(
                loop -> {
                  for (BufferSet[] kind : kinds) {
                    kind[loop].fillTo(target * step / steps);
                  }
                }));
  }

  /** Releases all but a part of each set's buffers. */
  private void fall(double share, double kept, BufferSet[]... kinds) throws Exception {
    int steps = plan.steps(share);
    // The loops are idle, and what they did last has been waited for: this thread may read it.
    int[][] counts =
        Arrays.stream(kinds)
            .map(kind -> Arrays.stream(kind).mapToInt(BufferSet::count).toArray())
            .toArray(int[][]::new);
    driver.paced(
        share,
        step -> {
          double left = 1 - (1 - kept) * step / steps;
          driver.onEachLoop(
              loop -> {
                for (int i = 0; i < kinds.length; i++) {
                  kinds[i][loop].shrinkTo((int) Math.round(counts[i][loop] * left));
                }
              });
        });
  }

  /** An event loop only allocates, the driving thread only releases. */
  void crossThread() throws Exception {
    Queue<ByteBuf> passed = new SpscUnboundedAtomicArrayQueue<>(2 * LONGEST_BATCH);
    for (int size : CROSS_THREAD_SIZES) {
      int length = Math.min(LONGEST_BATCH, BATCH_BYTES / size);
      driver.paced(
          CROSS_THREAD_SHARE,
          step -> {
            Future<?> next = allocate(length, size, passed);
            // Those of the step before; none in the first.
            release(step == 1 ? 0 : length, passed);
            next.sync();
          });
      release(length, passed);
    }
    driver.paced(
        CROSS_THREAD_SHARE,
        step -> {
          for (int i = 0; i < SINGLES; i++) {
            allocate(1, SINGLE_SIZE, passed).sync();
            release(1, passed);
          }
        });
    BufferSet many = new BufferSet(driver, BufferSet.BURST, 500);
    driver
        .onFirstLoop(
            () -> {
              many.fillTo(plan.lastHandoverBytes());
              passed.addAll(many.removeAll());
            })
        .sync();
    atHeight.call();
    driver.rest(CROSS_THREAD_SHARE);
    release(passed.size(), passed);
  }

  private Future<?> allocate(int count, int size, Queue<ByteBuf> passed) {
    return driver.onFirstLoop(
        () -> {
          for (int i = 0; i < count; i++) {
            passed.add(driver.allocate(size));
          }
        });
  }

  private void release(int count, Queue<ByteBuf> passed) {
    for (int i = 0; i < count; i++) {
      driver.release(passed.remove());
    }
  }

  /** Threads end with live buffers, a few at a time, and threads of another kind release them. */
  void churn() throws Exception {
    List<ThreadKind> kinds =
        ThreadKind.available().stream().filter(kind -> kind != ThreadKind.EVENT_EXECUTOR).toList();
    Queue<List<ByteBuf>> leftBehind = new MpmcAtomicArrayQueue<>(CHURN_AT_A_TIME);
    Queue<List<ByteBuf>> toRelease = new MpmcAtomicArrayQueue<>(2 * CHURN_AT_A_TIME);
    AtomicInteger seed = new AtomicInteger(600);
    Runnable life =
        () -> {
          releaseOne(toRelease);
          BufferSet own = new BufferSet(driver, BufferSet.WEB_SOCKET_PROXY, seed.getAndIncrement());
          own.fillTo(CHURN_LEFT_BEHIND);
          own.replace(CHURN_REPLACEMENTS);
          leftBehind.add(own.removeAll());
        };
    int rounds = (plan.threads() + CHURN_AT_A_TIME - 1) / CHURN_AT_A_TIME;
    driver.paced(
        rounds * kinds.size(),
        1,
        step -> {
          int round = (step - 1) / kinds.size();
          int now = Math.min(CHURN_AT_A_TIME, plan.threads() - round * CHURN_AT_A_TIME);
          kinds.get(step % kinds.size()).runAll(Collections.nCopies(now, life));
          atHeight.call();
          toRelease.addAll(leftBehind);
          leftBehind.clear();
        });
    while (!toRelease.isEmpty()) {
      releaseOne(toRelease);
    }
  }

  /** Releases what one thread left: the round before was of another kind, if there is one. */
  private void releaseOne(Queue<List<ByteBuf>> toRelease) {
    List<ByteBuf> buffers = toRelease.poll();
    if (buffers != null) {
      buffers.forEach(driver::release);
    }
  }
}
