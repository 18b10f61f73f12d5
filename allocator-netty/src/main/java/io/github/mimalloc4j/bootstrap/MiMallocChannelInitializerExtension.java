package io.github.mimalloc4j.bootstrap;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ServerChannel;

/**
 * Gives the allocator to every channel that a Netty bootstrap sets up, where the channel still has
 * Netty's default. Found by {@link java.util.ServiceLoader} under {@code
 * -Dio.netty.bootstrap.extensions=serviceload}.
 *
 * <p>For those who can neither start an agent nor change {@code main}. Netty's default itself
 * remains what it was, and so do the buffers that are not allocated for a channel.
 */
public final class MiMallocChannelInitializerExtension extends ChannelInitializerExtension {

  /** For the service loader. */
  public MiMallocChannelInitializerExtension() {}

  @Override
  public void postInitializeClientChannel(Channel channel) {
    replaceDefault(channel);
  }

  @Override
  public void postInitializeServerListenerChannel(ServerChannel channel) {
    replaceDefault(channel);
  }

  @Override
  public void postInitializeServerChildChannel(Channel channel) {
    replaceDefault(channel);
  }

  private static void replaceDefault(Channel channel) {
    if (Selection.isOther()) {
      return; // Extensions may have been switched on for another library's sake.
    }
    ChannelConfig config = channel.config();
    if (config.getAllocator() == ByteBufAllocator.DEFAULT) {
      config.setAllocator(MiMallocByteBufAllocator.DEFAULT);
    }
  }
}
