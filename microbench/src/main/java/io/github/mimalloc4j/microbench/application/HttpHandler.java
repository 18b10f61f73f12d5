package io.github.mimalloc4j.microbench.application;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/**
 * Answers one connection's requests, in their order, whatever their method.
 *
 * <p>Buffers have one owner at a time. A request's body belongs to the request, which the
 * superclass releases; {@code /echo} retains it once for its response. A response's content belongs
 * to whoever writes it. A body that never becomes complete is the aggregator's to release.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
final class HttpHandler extends RequestHandler<FullHttpRequest> {
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    if (request.decoderResult().isFailure()) {
      FullHttpResponse response = empty(HttpResponseStatus.BAD_REQUEST);
      // What follows cannot be told apart from the rest of the broken request.
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      ctx.write(response);
      return;
    }
    ctx.write(answer(ctx, request));
  }

  private static FullHttpResponse answer(ChannelHandlerContext ctx, FullHttpRequest request) {
    return switch (path(request.uri())) {
      case "/plaintext" -> plaintext(ctx);
      case "/echo" -> echo(request);
      default -> empty(HttpResponseStatus.NOT_FOUND);
    };
  }

  private static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  static FullHttpResponse plaintext(ChannelHandlerContext ctx) {
    // Not a shared constant: this server is there to use its allocator.
    ByteBuf content = ctx.alloc().buffer(HELLO.length).writeBytes(HELLO);
    return ok(HttpHeaderValues.TEXT_PLAIN, content);
  }

  private static FullHttpResponse echo(FullHttpRequest request) {
    return ok(HttpHeaderValues.APPLICATION_OCTET_STREAM, request.content().retain());
  }

  static FullHttpResponse empty(HttpResponseStatus status) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
    return response;
  }

  static FullHttpResponse ok(AsciiString type, ByteBuf content) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .setInt(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
    return response;
  }
}
