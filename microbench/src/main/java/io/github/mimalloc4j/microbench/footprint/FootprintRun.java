package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.jvm.Sampler;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Takes a fresh allocator through all phases.
 *
 * @param subject the allocator's name
 */
record FootprintRun(String subject, FootprintPlan plan)
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

  private static final Duration SAMPLING = Duration.ofMillis(50);

  /** In the order of time. */
  record Samples(List<Sample> samples) {}

  /** In this JVM. Tells the title of each phase when it begins. */
  @Override
  public Samples measure(Consumer<String> begun) throws Exception {
    AllocatorSource source = AllocatorSource.named(subject);
    ByteBufAllocator made = source.create();
    AtomicReference<Phase> current = new AtomicReference<>(Phase.values()[0]);
    try (Driver driver = new Driver(plan, made);
        Sampler<Sample> sampler =
            new Sampler<>(
                SAMPLING,
                micros ->
                    new Sample(
                        micros,
                        current.get(),
                        source.usedBytes(made),
                        driver.liveBytes(),
                        ResidentMemory.besideJavaHeap()))) {
      Workload workload = new Workload(driver, sampler::sample);
      for (Phase phase : Phase.values()) {
        begun.accept(phase.title());
        sampler.sample(); // what the one before has left
        current.set(phase);
        sampler.sample();
        phase.run(workload);
      }
      Samples samples = new Samples(sampler.take());
      if (driver.liveBytes() != 0) {
        throw new IllegalStateException(driver.liveBytes() + " bytes are still live at the end");
      }
      return samples;
    }
  }
}
