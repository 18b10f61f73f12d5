package io.github.mimalloc4j.activationtests.programs;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** A Micronaut application, which knows nothing of allocators. The client is the JDK's. */
@Controller
public class MicronautProgram {

  public static void main(String[] args) throws Exception {
    String text = "x".repeat(Traffic.BYTES);
    try (EmbeddedServer server =
        ApplicationContext.run(EmbeddedServer.class, Map.of("micronaut.server.port", -1))) {
      Traffic.report(
          () -> {
            HttpRequest request =
                HttpRequest.newBuilder(server.getURI().resolve("/echo"))
                    .version(HttpClient.Version.HTTP_1_1)
                    .header("Content-Type", MediaType.TEXT_PLAIN)
                    .POST(BodyPublishers.ofString(text))
                    .build();
            return text.equals(
                HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
          });
      OwnedHeaps.report();
    }
  }

  @Post(uri = "/echo", processes = MediaType.TEXT_PLAIN)
  String echo(@Body String text) {
    return text;
  }
}
