package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class ApplicationTest {

  /** Runs the application itself, since {@code @SpringBootTest} exports no metrics by default. */
  @Test
  void requestsAreServedFromTheAllocator() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(Application.class, "--server.port=0")) {
      String server =
          "http://localhost:" + context.getEnvironment().getProperty("local.server.port");

      assertEquals("MiMallocByteBufAllocator\n", get(server + "/"));
      assertInstanceOf(MiMallocByteBufAllocator.class, ByteBufAllocator.DEFAULT);

      String metrics = get(server + "/actuator/prometheus");
      assertHasValue("mimalloc4j_memory_used_bytes", metrics);
      assertHasValue("mimalloc4j_allocations_total", metrics);
    }
  }

  /** Asserts that the metric exists for direct memory and is not 0. */
  private static void assertHasValue(String name, String metrics) {
    Pattern line = Pattern.compile("(?m)^" + name + "\\{memory_type=\"direct\"} [1-9]");
    assertTrue(line.matcher(metrics).find(), name + " in\n" + metrics);
  }

  private static String get(String uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
