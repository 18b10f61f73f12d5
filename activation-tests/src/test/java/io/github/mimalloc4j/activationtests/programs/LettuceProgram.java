package io.github.mimalloc4j.activationtests.programs;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;

/** Lettuce with a server that knows GET and SET. */
public final class LettuceProgram {

  private LettuceProgram() {}

  public static void main(String[] args) throws Exception {
    String text = "x".repeat(Traffic.BYTES);
    try (RespServer server = new RespServer()) {
      Traffic.report(
          () -> {
            RedisClient client = RedisClient.create(RedisURI.create("localhost", server.port()));
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
              connection.sync().set("key", text);
              return text.equals(connection.sync().get("key"));
            } finally {
              client.shutdown();
            }
          });
    }
    System.exit(0);
  }
}
