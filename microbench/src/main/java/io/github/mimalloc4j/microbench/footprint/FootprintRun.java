package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Takes a fresh allocator through all phases. */
record FootprintRun(AllocatorKind kind, FootprintPlan plan)
    implements MeasuringJvm.Request<FootprintRun.Samples> {
  /**
   * A small heap, all of which is resident from the start: what comes and goes is then the buffers'
   * memory. The limit of direct memory is far above all needs, for some allocators take smaller
   * steps below a low one.
   */
  static final List<String> FLAGS =
      List.of(
          ForkOptions.GC,
          "-Xms128m",
          "-Xmx128m",
          ForkOptions.HEAP_TOUCHED,
          "-XX:MaxDirectMemorySize=16g",
          ForkOptions.NO_LEAK_DETECTION);

  /** In the order of time. */
  record Samples(List<Sample> samples) {}

  @Override
  public String label() {
    return kind.optionName();
  }

  /** In this JVM. Tells the name of each phase when it begins. */
  @Override
  public Samples measure(Consumer<String> begun) throws Exception {
    ByteBufAllocator allocator = kind.create();
    try (Driver driver = new Driver(plan, allocator);
        Sampler sampler = new Sampler(() -> usedBytes(allocator), driver::liveBytes)) {
      Workload workload = new Workload(driver, sampler::sample);
      for (Phase phase : Phase.values()) {
        begun.accept(phase.name());
        sampler.begin(phase);
        phase.run(workload);
      }
      Samples samples = new Samples(sampler.end());
      if (driver.liveBytes() != 0) {
        throw new IllegalStateException(driver.liveBytes() + " bytes are still live at the end");
      }
      return samples;
    }
  }

  private long usedBytes(ByteBufAllocator allocator) {
    return Arrays.stream(BufferKind.values())
        .mapToLong(buffers -> kind.usedBytes(allocator, buffers))
        .sum();
  }
}
