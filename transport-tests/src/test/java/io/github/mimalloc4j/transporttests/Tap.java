package io.github.mimalloc4j.transporttests;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufHolder;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands somewhere in a pipeline, looks at each buffer that passes in either direction and
 * remembers one that is not of the allocator. A plain buffer of the allocator's is looked for below
 * slices, leak-aware and other wrappers, and in each component.
 */
final class Tap extends ChannelDuplexHandler {

  private final ByteBufAllocator allocator;
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicReference<@Nullable String> foreign = new AtomicReference<>();

  Tap(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  long readBytes() {
    return readBytes.get();
  }

  long writtenBytes() {
    return writtenBytes.get();
  }

  /** The first buffer that was not ours, or null. */
  @Nullable String foreign() {
    return foreign.get();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    readBytes.addAndGet(look(message));
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    writtenBytes.addAndGet(look(message));
    ctx.write(message, promise);
  }

  private int look(Object message) {
    if (message instanceof ByteBufHolder holder) {
      return look(holder.content());
    }
    if (!(message instanceof ByteBuf buffer)) {
      return 0; // a file region
    }
    if (buffer.isReadable() && !isOurs(buffer)) {
      foreign.compareAndSet(null, buffer + " of " + buffer.alloc());
    }
    return buffer.readableBytes();
  }

  private boolean isOurs(ByteBuf buffer) {
    for (ByteBuf b = buffer; b != null; b = b.unwrap()) {
      if (b instanceof MiMallocByteBuf) {
        return b.alloc() == allocator;
      }
      if (b instanceof CompositeByteBuf composite) {
        return areOurs(composite);
      }
    }
    return false;
  }

  private boolean areOurs(CompositeByteBuf composite) {
    for (int i = 0; i < composite.numComponents(); i++) {
      ByteBuf component = composite.component(i);
      if (component.isReadable() && !isOurs(component)) {
        return false;
      }
    }
    return true;
  }
}
