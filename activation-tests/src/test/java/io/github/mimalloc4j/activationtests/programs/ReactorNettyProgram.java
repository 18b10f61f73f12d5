package io.github.mimalloc4j.activationtests.programs;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufMono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;

/** Reactor Netty's HTTP server and client. */
public final class ReactorNettyProgram {

  private ReactorNettyProgram() {}

  public static void main(String[] args) throws Exception {
    String text = "x".repeat(Traffic.BYTES);
    Traffic.report(
        () -> {
          DisposableServer server =
              HttpServer.create()
                  .host("localhost")
                  .port(0)
                  .handle((request, response) -> response.send(request.receive().retain()))
                  .bindNow();
          String answer =
              HttpClient.create()
                  .host("localhost")
                  .port(server.port())
                  .post()
                  .uri("/")
                  .send(ByteBufMono.fromString(Mono.just(text)))
                  .responseContent()
                  .aggregate()
                  .asString()
                  .block(Duration.ofMinutes(1));
          server.disposeNow(Duration.ofMinutes(1));
          return text.equals(answer);
        });
    System.exit(0); // Reactor Netty's event loops are daemons, others are not.
  }
}
