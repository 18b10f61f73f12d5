package io.github.mimalloc4j.bootstrap;

import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ServerChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Gives the allocator to every channel that a Netty bootstrap sets up, where the channel still has
 * Netty's default and {@code -Dio.netty.allocator.type=mimalloc}. Found by {@link
 * java.util.ServiceLoader} under {@code -Dio.netty.bootstrap.extensions=serviceload}, which may be
 * there for another library's sake.
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
    if (!Selection.isMiMalloc()) {
      return;
    }
    ChannelConfig config = channel.config();
    ByteBufAllocator ours = Ours.ALLOCATOR;
    if (ours != null
        && config.getAllocator() == ByteBufAllocator.DEFAULT
        && isNettysForAnUnknownType(ByteBufAllocator.DEFAULT)) {
      config.setAllocator(ours);
    }
  }

  /** Anything else is ours, or what a Netty that knows a type of this name has. */
  private static boolean isNettysForAnUnknownType(ByteBufAllocator allocator) {
    return allocator == PooledByteBufAllocator.DEFAULT;
  }

  /** Our allocator, or null if it cannot be used: a channel must come up without it. */
  private static final class Ours {

    static final @Nullable ByteBufAllocator ALLOCATOR = allocator();

    private static @Nullable ByteBufAllocator allocator() {
      try {
        return MiMallocByteBufAllocator.DEFAULT;
      } catch (Throwable cause) {
        InternalLoggerFactory.getInstance(MiMallocChannelInitializerExtension.class)
            .warn("The allocator cannot be used; channels keep Netty's.", cause);
        return null;
      }
    }
  }
}
