package io.github.mimalloc4j.activationtests.programs;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;

/** Vert.x' HTTP server, in so much of its API as Vert.x 4 and 5 have in common. */
public final class VertxServerProgram {

  private VertxServerProgram() {}

  public static void main(String[] args) throws Exception {
    String sent = "x".repeat(Traffic.BYTES);
    Vertx vertx = Vertx.vertx();
    Traffic.report(
        () -> {
          HttpServer server =
              vertx
                  .createHttpServer()
                  .requestHandler(
                      request -> request.body().onSuccess(body -> request.response().end(body)))
                  .listen(0, "localhost")
                  .toCompletionStage()
                  .toCompletableFuture()
                  .get(1, TimeUnit.MINUTES);
          URI uri = URI.create("http://localhost:" + server.actualPort());
          HttpRequest request =
              HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(sent)).build();
          return sent.equals(
              HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
        });
    vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }
}
