package io.github.mimalloc4j.microbench.application;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.EncoderException;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** The last handler of a server's connection. Counts the exceptions that no client caused. */
@Sharable
@SuppressWarnings("FutureReturnValueIgnored") // Nothing is to be done after it.
public final class CloseOnError extends ChannelInboundHandlerAdapter {
  static final CloseOnError INSTANCE = new CloseOnError();

  private static final InternalLogger logger =
      InternalLoggerFactory.getInstance(CloseOnError.class);

  private static final LongAdder FAILURES = new LongAdder();

  private CloseOnError() {}

  /** How many exceptions no client caused, in all servers of this JVM. */
  public static long failures() {
    return FAILURES.sum();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (isOfClient(cause)) {
      logger.debug("{} closed", ctx.channel(), cause);
    } else {
      FAILURES.increment();
      logger.warn("{} closed", ctx.channel(), cause);
    }
    ctx.close();
  }

  /** Clients break off and send nonsense all the time; anything else is a fault of ours. */
  private static boolean isOfClient(Throwable cause) {
    if (cause instanceof DecoderException && cause.getCause() != null) {
      return isOfClient(cause.getCause()); // Netty also wraps what else a decoder throws.
    }
    return cause instanceof IOException
        || cause instanceof Http2Exception
        || (cause instanceof CodecException && !(cause instanceof EncoderException));
  }
}
