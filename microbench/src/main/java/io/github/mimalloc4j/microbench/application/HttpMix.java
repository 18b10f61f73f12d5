package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import java.io.IOException;
import java.util.List;

/** The server of the command {@code http-server}, with small and large requests mixed. */
final class HttpMix {
  private HttpMix() {}

  static List<Workload> workloads() {
    return List.of(workload("mix", false), workload("mix-tls", true));
  }

  private static Workload workload(String variant, boolean tls) {
    return new Workload(
        "http",
        variant,
        "half GET, half POST with echoed bodies of 1 KiB to 4 MiB" + (tls ? ", over TLS" : ""),
        environment -> start(environment, tls),
        RequestMix.connector(RequestMix.draw(), tls),
        1,
        new Wrk(tls ? "https" : "http", "/plaintext", RequestMix.draw()));
  }

  private static Server start(Environment environment, boolean tls) throws IOException {
    AllocatorSource given = environment::allocator;
    return HttpServer.start(new HttpServer.Config(given, "127.0.0.1", 0, tls), environment);
  }
}
