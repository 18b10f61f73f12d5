package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HealthServerTest {

  @Test
  void callsAreServedFromTheAllocator() throws Exception {
    int port = freePort();
    int metricsPort = freePort();
    HealthServer.main(Integer.toString(port), Integer.toString(metricsPort));

    assertEquals(ServingStatus.SERVING, check(port).getStatus());
    assertInstanceOf(MiMallocByteBufAllocator.class, ByteBufAllocator.DEFAULT);

    HttpResponse<String> metrics = get("http://localhost:" + metricsPort + "/metrics");
    assertEquals("text/plain", contentType(metrics)); // Prometheus 3 requires it.
    assertHasValue("mimalloc4j_memory_used_bytes", metrics.body());
    assertHasValue("mimalloc4j_allocations_total", metrics.body());
  }

  private static HealthCheckResponse check(int port) {
    ManagedChannel channel =
        ManagedChannelBuilder.forAddress("localhost", port).usePlaintext().build();
    try {
      return HealthGrpc.newBlockingStub(channel).check(HealthCheckRequest.getDefaultInstance());
    } finally {
      channel.shutdownNow();
    }
  }

  /** Asserts that the metric exists for direct memory and is not 0. */
  private static void assertHasValue(String name, String metrics) {
    Pattern line = Pattern.compile("(?m)^" + name + "\\{memory_type=\"direct\"} [1-9]");
    assertTrue(line.matcher(metrics).find(), name + " in\n" + metrics);
  }

  private static String contentType(HttpResponse<String> response) {
    return response.headers().firstValue("Content-Type").orElse("").split(";")[0];
  }

  private static HttpResponse<String> get(String uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
