package io.github.mimalloc4j.microbench.application;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;

/**
 * Writes answers to requests, which are sent once for all requests of a read: so pipelined ones
 * share a system call.
 *
 * @param <I> what the pipeline makes of a request, or of its parts
 */
abstract class RequestHandler<I> extends SimpleChannelInboundHandler<I> {
  @Override
  public final void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }
}
