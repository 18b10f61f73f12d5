package io.github.mimalloc4j.activationtests.programs;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.util.concurrent.TimeUnit;

/** Vert.x' HTTP server and client. */
public final class VertxProgram {

  private VertxProgram() {}

  public static void main(String[] args) throws Exception {
    Buffer sent = Buffer.buffer("x".repeat(Traffic.BYTES));
    Vertx vertx = Vertx.vertx();
    Traffic.report(
        () -> {
          HttpServer server =
              vertx
                  .createHttpServer()
                  .requestHandler(
                      request -> request.body().onSuccess(body -> request.response().end(body)))
                  .listen(0, "localhost")
                  .await(1, TimeUnit.MINUTES);
          HttpClientAgent client = vertx.createHttpClient();
          Buffer answer =
              client
                  .request(HttpMethod.POST, server.actualPort(), "localhost", "/")
                  .compose(request -> request.send(sent))
                  .compose(HttpClientResponse::body)
                  .await(1, TimeUnit.MINUTES);
          client
              .close()
              .await(1, TimeUnit.MINUTES); // Vert.x closes one that is unreachable earlier
          return sent.equals(answer);
        });
    OwnedHeaps.report();
    vertx.close().await(1, TimeUnit.MINUTES);
  }
}
