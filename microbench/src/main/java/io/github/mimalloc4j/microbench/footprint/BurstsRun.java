package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.jvm.MeasuringJvm;
import io.github.mimalloc4j.microbench.jvm.ResidentMemory;
import io.github.mimalloc4j.microbench.result.Spread;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a fresh allocator through equal bursts: all event loops allocate, write and release, and
 * then nobody calls anything for a while.
 *
 * @param subject the allocator's name
 * @param plan the size of a burst, and the time after it
 * @param sizes of the buffers, as {@link SizePattern#of} has them
 * @param bursts how many
 */
record BurstsRun(String subject, FootprintPlan plan, String sizes, int bursts)
    implements MeasuringJvm.Request<BurstsRun.Bursts> {
  /**
   * What was found after one burst, in bytes. Resident is counted from what it was before the first
   * one. Used is null if the allocator does not tell.
   */
  record Burst(long peakResident, long resident, @Nullable Long used) {}

  /** In the order of time. */
  record Bursts(List<Burst> bursts) {
    /**
     * The share of its peak that stayed resident after each burst; 0 if less was resident than
     * before the first one.
     */
    Spread shares() {
      return Spread.of(
          bursts.stream()
              .map(burst -> Math.max(0, (double) burst.resident() / burst.peakResident()))
              .toList());
    }
  }

  /** In this JVM. Tells the number of each burst, from 1, when it begins. */
  @Override
  public Bursts measure(Consumer<String> begun) throws Exception {
    int[] drawn = BufferSet.draw(SizePattern.of(sizes));
    AllocatorSource source = AllocatorSource.named(subject);
    ByteBufAllocator made = source.create();
    List<Burst> found = new ArrayList<>();
    try (Driver driver = new Driver(plan, made)) {
      driver.onEachLoop(loop -> driver.release(driver.allocate(1))); // starts the threads
      driver.rest(1);
      long before = resident();
      for (int number = 1; number <= bursts; number++) {
        begun.accept("burst " + number);
        BufferSet[] live = BufferSet.onePerLoop(driver, drawn, 1000L * number);
        driver.onEachLoop(loop -> live[loop].fillTo(plan.burstBytes() / Driver.LOOPS));
        long peak = resident() - before;
        if (peak <= 0) {
          throw new IllegalStateException(
              "the burst is too small: no more memory was resident than before");
        }
        driver.onEachLoop(loop -> live[loop].shrinkTo(0));
        driver.rest(1);
        found.add(new Burst(peak, resident() - before, source.usedBytes(made, BufferKind.DIRECT)));
      }
    }
    return new Bursts(found);
  }

  private static long resident() throws IOException {
    return ResidentMemory.bytes()
        .orElseThrow(() -> new IOException("this system does not report resident memory"));
  }
}
