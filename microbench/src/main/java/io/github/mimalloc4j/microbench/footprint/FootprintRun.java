package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.function.Consumer;

/** Takes a fresh allocator through all phases, in this JVM. */
final class FootprintRun {
  private final PhaseContext context;
  private final LoopPhases loopPhases;

  private FootprintRun(PhaseContext context) {
    this.context = context;
    loopPhases = new LoopPhases(context);
  }

  /**
   * Runs.
   *
   * @param begun is told of each phase when it begins
   * @return the samples in the order of time
   */
  static List<Sample> run(AllocatorKind kind, FootprintPlan plan, Consumer<Phase> begun)
      throws Exception {
    ByteBufAllocator allocator = kind.create();
    LiveMemory memory = new LiveMemory(allocator);
    try (Loops loops = new Loops();
        Sampler sampler = new Sampler(() -> usedBytes(kind, allocator), memory::bytes)) {
      FootprintRun run = new FootprintRun(new PhaseContext(loops, memory, plan, sampler::sample));
      for (Phase phase : Phase.values()) {
        begun.accept(phase);
        sampler.begin(phase);
        run.work(phase);
      }
      List<Sample> samples = sampler.end();
      if (memory.bytes() != 0) {
        throw new IllegalStateException(memory.bytes() + " bytes are still live at the end");
      }
      return samples;
    }
  }

  private static long usedBytes(AllocatorKind kind, ByteBufAllocator allocator) {
    return kind.usedBytes(allocator, BufferKind.DIRECT)
        + kind.usedBytes(allocator, BufferKind.HEAP);
  }

  private void work(Phase phase) throws Exception {
    switch (phase) {
      case STEADY -> loopPhases.steady();
      case BURST -> loopPhases.burst();
      case CROSS_THREAD -> new CrossThread(context).run();
      case CHURN -> new ThreadChurn(context).run();
      case SCATTER -> loopPhases.scatter();
      case END_IDLE -> {
        loopPhases.releaseScattered();
        context.rest(1);
      }
      case BURST_IDLE, CROSS_THREAD_IDLE, CHURN_IDLE, SCATTER_IDLE -> context.rest(1);
    }
  }
}
