package com.example;

import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An HTTP server: "/" returns the name of Netty's default allocator, "/metrics" all metrics. */
public final class VertxServer {

  private VertxServer() {}

  public static void main(String... args) throws TimeoutException {
    MiMalloc.install(); // Before anything uses Netty, as Vert.x does.

    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(metrics);

    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Vertx.builder()
        .with(new VertxOptions().setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true)))
        .withMetrics(new MicrometerMetricsFactory(metrics))
        .build()
        .createHttpServer()
        .requestHandler(request -> answer(request, metrics))
        .listen(port)
        .await(1, TimeUnit.MINUTES);
    System.out.println("http://localhost:" + port);
  }

  private static void answer(HttpServerRequest request, PrometheusMeterRegistry metrics) {
    switch (request.path()) {
      case "/" ->
          request.response().end(ByteBufAllocator.DEFAULT.getClass().getSimpleName() + "\n");
      case "/metrics" ->
          request
              .response()
              .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
              .end(metrics.scrape());
      default -> request.response().setStatusCode(404).end();
    }
  }
}
