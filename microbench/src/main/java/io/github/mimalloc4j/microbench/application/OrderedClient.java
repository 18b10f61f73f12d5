package io.github.mimalloc4j.microbench.application;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Netty's whose answers come in the order of the requests. It is the last handler
 * of its pipeline.
 *
 * @param <I> what the pipeline makes of what comes
 */
@SuppressWarnings("FutureReturnValueIgnored") // A write that fails has closed its connection.
abstract class OrderedClient<I> extends SimpleChannelInboundHandler<I> implements Client {
  private final Queue<Completion> underWay = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;

  /** Why there are no more answers. */
  private @Nullable String lost;

  /** Writes the next request, without a flush. */
  abstract void write(ChannelHandlerContext ctx);

  /** The oldest request under way was answered. */
  final void answered(@Nullable String error) {
    Completion completion = underWay.poll();
    if (completion != null) {
      completion.completed(error);
    } else {
      breakOff("an answer without a pending request");
    }
  }

  /** There cannot be answers any more that would make sense. */
  final void breakOff(String error) {
    lose(error);
    context().close();
  }

  private void lose(String error) {
    if (lost == null) {
      lost = error;
      for (Completion each = underWay.poll(); each != null; each = underWay.poll()) {
        each.completed(error);
      }
    }
  }

  /** Whether there are no answers any more. */
  final boolean isLost() {
    return lost != null;
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context);
  }

  @Override
  public final EventExecutor executor() {
    return context().executor();
  }

  @Override
  public final void send(Completion completion) {
    @Nullable String error = lost;
    if (error != null) {
      // Not at once: a caller that sends whenever one is completed would never return.
      executor().execute(() -> completion.completed(error));
    } else {
      underWay.add(completion);
      write(context());
    }
  }

  @Override
  public final void flush() {
    context().flush();
  }

  @Override
  public final @Nullable String lost() {
    return lost;
  }

  @Override
  public void close() {
    breakOff("closed");
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    lose("connection lost");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    breakOff(cause.toString());
  }
}
