package com.example;

import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** "/" returns the name of Netty's default allocator, "/q/metrics" the metrics. */
@Path("/")
public class Application {

  /** Quarkus binds it to the registry. */
  @Produces
  @Singleton
  MiMallocMetrics allocatorMetrics() {
    return new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT);
  }

  @GET
  public String allocator() {
    return ByteBufAllocator.DEFAULT.getClass().getSimpleName() + "\n";
  }
}
