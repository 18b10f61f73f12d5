package io.github.mimalloc4j.activationtests.programs;

import io.github.mimalloc4j.netty.MiMalloc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP server and client of Vert.x 4 and 5. With the argument {@value #INSTALL} it activates
 * the allocator in its first line; with {@value #LATE} the handlers' class is loaded before.
 */
public final class VertxProgram {

  public static final String INSTALL = "install";
  public static final String LATE = "late";

  private VertxProgram() {}

  public static void main(String[] args) throws Exception {
    if (List.of(args).contains(LATE)) {
      Class.forName(
          "io.vertx.core.net.impl.VertxHandler", false, VertxProgram.class.getClassLoader());
      System.setProperty("io.netty.allocator.type", "mimalloc");
    }
    if (List.of(args).contains(INSTALL)) {
      MiMalloc.install();
    }
    Vertx vertx = Vertx.vertx();
    Traffic.report(() -> exchange(vertx));
    if (Boolean.getBoolean("io.netty.allocator.mimalloc.jmx")) {
      OwnedHeaps.report();
    }
    await(vertx.close());
  }

  private static boolean exchange(Vertx vertx) throws Exception {
    HttpServer server =
        await(
            vertx
                .createHttpServer()
                .requestHandler(
                    request -> request.body().onSuccess(body -> request.response().end(body)))
                .listen(0, "localhost"));
    var client = vertx.createHttpClient(); // of another type in Vert.x 5
    String sent = "x".repeat(Traffic.BYTES);
    // Nested: the answer must be asked for its body before its first bytes arrive.
    Future<Buffer> answer =
        client
            .request(HttpMethod.POST, server.actualPort(), "localhost", "/")
            .compose(request -> request.send(sent).compose(HttpClientResponse::body));
    boolean echoed = sent.equals(await(answer).toString());
    await(client.close()); // Vert.x closes one that is unreachable earlier
    await(server.close());
    return echoed;
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }
}
