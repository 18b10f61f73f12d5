package com.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.mimalloc4j.micrometer.MiMallocMetrics;
import io.github.mimalloc4j.netty.MiMalloc;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** An HTTP server: "/BUCKET/KEY" returns that object of S3, "/metrics" the metrics. */
public final class ObjectServer {

  private ObjectServer() {}

  public static void main(String... args) throws IOException {
    MiMalloc.install(); // Before anything uses Netty.

    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new MiMallocMetrics(MiMallocByteBufAllocator.DEFAULT).bindTo(metrics);
    S3AsyncClient s3 =
        S3AsyncClient.builder()
            .httpClientBuilder(NettyNioAsyncHttpClient.builder())
            .forcePathStyle(true) // Stand-ins have no host names for buckets.
            .build();

    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", exchange -> sendObject(exchange, s3));
    server.createContext("/metrics", exchange -> sendMetrics(exchange, metrics));
    server.start();
    System.out.println("http://localhost:" + port);
  }

  private static void sendObject(HttpExchange exchange, S3AsyncClient s3) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", 3); // "", bucket, key
    if (path.length < 3) {
      send(exchange, 404, utf8("/BUCKET/KEY\n"));
      return;
    }
    try {
      send(
          exchange,
          200,
          s3.getObject(
                  request -> request.bucket(path[1]).key(path[2]),
                  AsyncResponseTransformer.toBytes())
              .join()
              .asByteArrayUnsafe());
    } catch (CompletionException e) {
      send(exchange, 502, utf8(e.getCause() + "\n"));
    }
  }

  private static void sendMetrics(HttpExchange exchange, PrometheusMeterRegistry metrics)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    send(exchange, 200, utf8(metrics.scrape()));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
