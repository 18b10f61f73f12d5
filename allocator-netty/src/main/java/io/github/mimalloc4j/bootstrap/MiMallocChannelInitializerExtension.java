package io.github.mimalloc4j.bootstrap;

import io.github.mimalloc4j.activation.NettyVersion;
import io.github.mimalloc4j.activation.Selection;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.redirection.Trial;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ServerChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sets the allocator of every channel that a Netty bootstrap sets up, if the channel still has
 * Netty's default and {@code -Dio.netty.allocator.type=mimalloc} is set. Found by {@link
 * java.util.ServiceLoader} under {@code -Dio.netty.bootstrap.extensions=serviceload}, which may be
 * set for another library.
 *
 * <p>For applications that can neither start an agent nor change {@code main}. Netty's default
 * allocator does not change, and neither do buffers that are not allocated for a channel.
 */
public final class MiMallocChannelInitializerExtension extends ChannelInitializerExtension {

  /** Called by the service loader. */
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
    if (config.getAllocator() == ByteBufAllocator.DEFAULT
        && isNettysForAnUnknownType(ByteBufAllocator.DEFAULT)
        && Ours.ALLOCATOR != null) { // last: it is made and tried out only where it is needed
      config.setAllocator(Ours.ALLOCATOR);
    }
  }

  /**
   * Returns whether Netty chose the allocator because it does not know the type. Any other default
   * is ours, or belongs to a Netty that has a type of this name.
   */
  private static boolean isNettysForAnUnknownType(ByteBufAllocator allocator) {
    return allocator == PooledByteBufAllocator.DEFAULT;
  }

  /** Our allocator, or null if it cannot be used: a channel must work without it. */
  private static final class Ours {

    private static final String VERTX = "io.vertx.core.Vertx";

    static final @Nullable ByteBufAllocator ALLOCATOR = allocator();

    private static @Nullable ByteBufAllocator allocator() {
      try {
        if (isVertxThere()) {
          // Vert.x releases only what comes from allocators that it knows. Agent and install()
          // change it.
          warn("Vert.x is there: channels keep Netty's allocator; use -javaagent instead.", null);
          return null;
        }
        String problem = NettyVersion.problem(ByteBufAllocator.class.getClassLoader());
        if (problem != null) {
          throw new UnsupportedOperationException(problem);
        }
        ByteBufAllocator ours = MiMallocByteBufAllocator.DEFAULT;
        Trial.run();
        return ours;
      } catch (Throwable cause) {
        warn("The allocator cannot be used; channels keep Netty's.", cause);
        return null;
      }
    }

    private static void warn(String message, @Nullable Throwable cause) {
      try {
        InternalLoggerFactory.getInstance(MiMallocChannelInitializerExtension.class)
            .warn(message, cause);
      } catch (Exception | LinkageError ofTheLogger) { // there is nowhere to report it
      }
    }

    private static boolean isVertxThere() {
      try {
        Class.forName(VERTX, false, MiMallocChannelInitializerExtension.class.getClassLoader());
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }
}
