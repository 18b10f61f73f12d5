package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ApplicationTest {

  @TestHTTPResource URI server;

  @Test
  void requestsAreServedFromTheAllocator() throws Exception {
    assertEquals("MiMallocByteBufAllocator\n", get("/"));
    assertTrue(value("mimalloc4j_memory_used_bytes") > 0);

    double before = value("mimalloc4j_allocations_total");
    get("/");
    assertTrue(value("mimalloc4j_allocations_total") > before);
  }

  /** Returns the metric of direct memory. */
  private double value(String name) throws Exception {
    String metrics = get("/q/metrics");
    Matcher line =
        Pattern.compile("(?m)^" + name + "\\{.*memory_type=\"direct\".*} (.*)$").matcher(metrics);
    assertTrue(line.find(), name + " in\n" + metrics);
    return Double.parseDouble(line.group(1));
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(server.resolve(path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
