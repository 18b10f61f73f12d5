package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers GET, SET and LRANGE of one connection from maps that all share. */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class RespHandler extends RequestHandler<ArrayRedisMessage> {
  private final Map<String, byte[]> values;
  private final Map<String, List<byte[]>> lists;

  RespHandler(Map<String, byte[]> values, Map<String, List<byte[]>> lists) {
    this.values = values;
    this.lists = lists;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, ArrayRedisMessage request) {
    List<ByteBuf> words = new ArrayList<>();
    for (RedisMessage part : request.children()) {
      if (part instanceof FullBulkStringRedisMessage string) {
        words.add(string.content());
      }
    }
    ctx.write(answer(ctx, words));
  }

  private RedisMessage answer(ChannelHandlerContext ctx, List<ByteBuf> words) {
    String command = words.isEmpty() ? "" : text(words.get(0)).toUpperCase(Locale.ROOT);
    return switch (command + " " + (words.size() - 1)) {
      case "GET 1" -> string(ctx, values.get(text(words.get(1))));
      case "SET 2" -> {
        values.put(text(words.get(1)), ByteBufUtil.getBytes(words.get(2)));
        yield new SimpleStringRedisMessage("OK");
      }
      case "LRANGE 3" -> {
        List<byte[]> list = lists.getOrDefault(text(words.get(1)), List.of());
        yield range(ctx, list, number(words.get(2)), number(words.get(3)));
      }
      default -> new ErrorRedisMessage("ERR unknown command");
    };
  }

  private static String text(ByteBuf word) {
    return word.toString(StandardCharsets.US_ASCII);
  }

  private static int number(ByteBuf word) {
    return Integer.parseInt(text(word));
  }

  private static RedisMessage range(
      ChannelHandlerContext ctx, List<byte[]> list, int first, int last) {
    List<RedisMessage> elements = new ArrayList<>();
    for (int i = Math.max(0, first); i <= Math.min(last, list.size() - 1); i++) {
      elements.add(string(ctx, list.get(i)));
    }
    return new ArrayRedisMessage(elements);
  }

  private static FullBulkStringRedisMessage string(
      ChannelHandlerContext ctx, byte @Nullable [] value) {
    return value == null
        ? FullBulkStringRedisMessage.NULL_INSTANCE
        : new FullBulkStringRedisMessage(ctx.alloc().buffer(value.length).writeBytes(value));
  }
}
