package io.github.mimalloc4j.microbench.application;

import io.github.mimalloc4j.microbench.application.ByteClient.Exchange;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The Redis protocol: arrays of many small strings, and single ones. */
final class Resp {
  /** What redis-benchmark calls its list. */
  private static final String LIST = "mylist";

  private static final int ELEMENTS = 600;
  private static final String ELEMENT = "x".repeat(16);

  private static final int VALUE_BYTES = 32;

  /** Of each connection of GET and SET, which have their keys for themselves. */
  private static final int KEYS = 64;

  private static final int PIPELINED = 16;

  /** Of a request. */
  private static final int MAX_ELEMENTS = 1024;

  private static final int MAX_DEPTH = 4;

  private static final AtomicLong CONNECTIONS = new AtomicLong();

  private Resp() {}

  static List<Workload> workloads() {
    Exchange range = Exchange.of(command("LRANGE", LIST, "0", ELEMENTS - 1 + ""), list());
    return List.of(
        workload(
            "lrange",
            "LRANGE of 600 elements of 16 B, 16 at a time on each connection",
            () -> () -> range,
            RedisBenchmark.command("LRANGE", LIST, "0", ELEMENTS - 1 + "")),
        workload(
            "get-set",
            "SET and GET of 32 B in turns (redis-benchmark: first all SETs), 16 at a time on each"
                + " connection",
            Resp::setsAndGets,
            RedisBenchmark.tests(VALUE_BYTES, "set", "get")));
  }

  private static Workload workload(
      String variant, String description, Supplier<Supplier<Exchange>> client, ExternalTool tool) {
    return new Workload(
        "resp", variant, description, Resp::start, ByteClient.connector(client), PIPELINED, tool);
  }

  private static Server start(Environment environment) throws Exception {
    Map<String, byte[]> values = new ConcurrentHashMap<>();
    byte[] element = ELEMENT.getBytes(StandardCharsets.US_ASCII);
    Map<String, List<byte[]>> lists = Map.of(LIST, Collections.nCopies(ELEMENTS, element));
    return ChannelServer.start(
        environment,
        channel ->
            channel
                .pipeline()
                .addLast(
                    new RedisDecoder(),
                    new RedisBulkStringAggregator(),
                    new RedisArrayAggregator(MAX_ELEMENTS, MAX_DEPTH),
                    new RedisEncoder(),
                    new RespHandler(values, lists)));
  }

  /** Each value is another one than that before it of the same key. */
  private static Supplier<Exchange> setsAndGets() {
    long connection = CONNECTIONS.getAndIncrement();
    List<Exchange> all = new ArrayList<>();
    for (int i = 0; i < 2 * KEYS; i++) {
      String key = "key:" + connection + ":" + i % KEYS;
      String value = Character.toString('a' + i % 23).repeat(VALUE_BYTES);
      all.add(Exchange.of(command("SET", key, value), "+OK\r\n"));
      all.add(Exchange.of(command("GET", key), bulk(value)));
    }
    return new Supplier<>() {
      private int next;

      @Override
      public Exchange get() {
        next = next == all.size() ? 0 : next;
        return all.get(next++);
      }
    };
  }

  private static String command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append(bulk(word));
    }
    return text.toString();
  }

  private static String list() {
    return "*" + ELEMENTS + "\r\n" + bulk(ELEMENT).repeat(ELEMENTS);
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }
}
