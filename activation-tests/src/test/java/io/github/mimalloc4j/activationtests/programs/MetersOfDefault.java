package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Shows the figures of the library's allocator as meters, and then uses Netty. */
public final class MetersOfDefault {

  private MetersOfDefault() {}

  public static void main(String[] args) throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(registry);
    Report.value("has meters", !registry.getMeters().isEmpty());
    Echo.run();
  }
}
