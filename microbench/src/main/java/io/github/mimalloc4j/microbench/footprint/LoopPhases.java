package io.github.mimalloc4j.microbench.footprint;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The phases in which event loops allocate and release their own buffers. */
final class LoopPhases {
  /** Per loop and step; about as many requests as a busy loop serves in this time. */
  private static final int STEADY_REPLACEMENTS = 1000;

  private static final double BURST_RISE = 0.4;
  private static final double BURST_HOLD = 0.2;
  private static final double BURST_FALL = 0.4;

  private static final double SCATTER_RISE = 0.5;
  private static final double SCATTER_FALL = 0.5;

  /** One buffer of so many is kept. */
  private static final int SCATTER_KEEP = 10;

  private final PhaseContext context;
  private final Loops loops;
  private final FootprintPlan plan;
  private final BufferSet[] steady;
  private final BufferSet[] burst;
  private final BufferSet[] small;
  private final BufferSet[] large;

  LoopPhases(PhaseContext context) {
    this.context = context;
    loops = context.loops();
    plan = context.plan();
    steady = onePerLoop(BufferSet.WEB_SOCKET_PROXY, 100);
    burst = onePerLoop(BufferSet.BURST, 200);
    small = onePerLoop(BufferSet.WEB_SOCKET_PROXY, 300);
    large = onePerLoop(BufferSet.LARGE, 400);
  }

  private BufferSet[] onePerLoop(int[] sizes, long seed) {
    return IntStream.range(0, Loops.COUNT)
        .mapToObj(loop -> new BufferSet(context.memory(), sizes, seed + loop))
        .toArray(BufferSet[]::new);
  }

  /** Leaves a live set behind, which the burst's end takes away. */
  void steady() throws Exception {
    loops.onEach(loop -> steady[loop].fillTo(plan.steadyBytes() / Loops.COUNT));
    context.paced(1, step -> loops.onEach(loop -> steady[loop].replace(STEADY_REPLACEMENTS)));
  }

  /** Leaves nothing behind. */
  void burst() throws Exception {
    rise(BURST_RISE, plan.burstBytes(), burst);
    context.atHeight().run();
    context.rest(BURST_HOLD);
    fall(BURST_FALL, 0, burst, steady);
  }

  /** Leaves a random tenth of the buffers behind. */
  void scatter() throws Exception {
    rise(SCATTER_RISE, plan.scatterBytes(), small, large);
    context.atHeight().run();
    fall(SCATTER_FALL, 1.0 / SCATTER_KEEP, small, large);
  }

  /** Releases the tenth. */
  void releaseScattered() throws InterruptedException {
    loops.onEach(
        loop -> {
          small[loop].shrinkTo(0);
          large[loop].shrinkTo(0);
        });
  }

  /** Lets each of the kinds of sets grow to its equal part of the bytes, over all loops. */
  private void rise(double share, long bytes, BufferSet[]... kinds) throws Exception {
    int steps = plan.steps(share);
    long target = bytes / Loops.COUNT / kinds.length;
    context.paced(
        share,
        step ->
            loops.onEach(
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
    context.paced(
        share,
        step -> {
          double left = 1 - (1 - kept) * step / steps;
          loops.onEach(
              loop -> {
                for (int i = 0; i < kinds.length; i++) {
                  kinds[i][loop].shrinkTo((int) Math.round(counts[i][loop] * left));
                }
              });
        });
  }
}
