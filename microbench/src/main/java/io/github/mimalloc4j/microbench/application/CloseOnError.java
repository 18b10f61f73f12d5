package io.github.mimalloc4j.microbench.application;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;

/** The last handler of a server's connection. */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // Nothing is to be done after it.
final class CloseOnError extends ChannelInboundHandlerAdapter {
  static final CloseOnError INSTANCE = new CloseOnError();

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(CloseOnError.class);

  private CloseOnError() {}

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // Clients break off and send nonsense all the time; anything else is a fault of ours.
    if (cause instanceof IOException
        || cause instanceof DecoderException
        || cause instanceof Http2Exception
        || cause instanceof PrematureChannelClosureException) {
      logger.debug("{} closed", ctx.channel(), cause);
    } else {
      logger.warn("{} closed", ctx.channel(), cause);
    }
    ctx.close();
  }
}
