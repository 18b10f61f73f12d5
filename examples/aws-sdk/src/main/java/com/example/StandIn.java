package com.example;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Stands in for S3: the content of each object is its path, 1,000 times. */
public final class StandIn {

  private StandIn() {}

  public static void main(String... args) throws IOException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 9000;
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] object =
              (exchange.getRequestURI().getPath() + "\n")
                  .repeat(1_000)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, object.length);
          exchange.getResponseBody().write(object);
          exchange.close();
        });
    server.start();
    System.out.println("http://localhost:" + port);
  }
}
