package io.github.mimalloc4j.activationtests.programs;

import static org.springframework.web.reactive.function.server.RequestPredicates.POST;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;

/**
 * A Spring Boot WebFlux application, which knows nothing of allocators. The client is the JDK's.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class WebFluxProgram {

  public static void main(String[] args) throws Exception {
    ConfigurableApplicationContext application =
        SpringApplication.run(
            WebFluxProgram.class, "--server.port=0", "--server.address=localhost");
    String port = application.getEnvironment().getProperty("local.server.port");
    String text = "x".repeat(Traffic.BYTES);
    Traffic.report(
        () -> {
          HttpRequest request =
              HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/echo"))
                  .version(HttpClient.Version.HTTP_1_1)
                  .POST(BodyPublishers.ofString(text))
                  .build();
          return text.equals(
              HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
        });
    System.exit(SpringApplication.exit(application));
  }

  @Bean
  RouterFunction<ServerResponse> echo() {
    return route(
        POST("/echo"),
        request -> {
          Flux<DataBuffer> body = request.body(BodyExtractors.toDataBuffers());
          return ServerResponse.ok().body(body, DataBuffer.class);
        });
  }
}
