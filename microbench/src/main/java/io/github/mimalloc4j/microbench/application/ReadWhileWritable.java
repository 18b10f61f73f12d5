package io.github.mimalloc4j.microbench.application;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Back-pressure: a client that sends requests and reads no responses must not fill the memory. */
@Sharable
final class ReadWhileWritable extends ChannelInboundHandlerAdapter {
  static final ReadWhileWritable INSTANCE = new ReadWhileWritable();

  private ReadWhileWritable() {}

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
    ctx.fireChannelWritabilityChanged();
  }
}
