package com.example;

import com.sun.net.httpserver.HttpServer;
import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A server with gRPC's own health service. "/metrics" at another port returns the metrics. */
public final class HealthServer {

  private HealthServer() {}

  public static void main(String... args) throws IOException {
    // Both before anything uses Netty. Without the property gRPC makes a PooledByteBufAllocator.
    System.setProperty("io.grpc.netty.useCustomAllocator", "false");
    MiMalloc.install();

    int port = args.length > 0 ? Integer.parseInt(args[0]) : 9090;
    NettyServerBuilder.forPort(port)
        .addService(new HealthStatusManager().getHealthService())
        .build()
        .start();
    int metricsPort = args.length > 1 ? Integer.parseInt(args[1]) : 8080;
    serveMetrics(metricsPort);
    System.out.println("localhost:" + port + ", http://localhost:" + metricsPort + "/metrics");
  }

  /** Starts the JDK's server. Its thread keeps the JVM running: those of gRPC are daemons. */
  private static void serveMetrics(int port) throws IOException {
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(metrics);

    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = metrics.scrape().getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }
}
