package io.github.mimalloc4j.netty.support;

import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;

/** Another JVM in which Netty counts direct memory, and has a limit for it. */
public final class NettyLimit {

  private final List<String> options = new ArrayList<>();

  private NettyLimit(long bytes) {
    options.add("-Dio.netty.maxDirectMemory=" + bytes);
    if (!countsWhatTheJdkCounts()) {
      options.add("-Dio.netty.tryReflectionSetAccessible=true");
      options.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    }
  }

  public static NettyLimit of(long bytes) {
    return new NettyLimit(bytes);
  }

  /** On JDK 17 without Unsafe, Netty has no way to free direct memory at once, and no limit. */
  public OtherJvm run(Class<?> main, String... more) {
    boolean counts = countsWhatTheJdkCounts() ? counts() : PlatformDependent.hasUnsafe();
    assumeTrue(counts, "Netty does not count direct memory");
    options.addAll(List.of(more));
    return OtherJvm.run(main, options.toArray(String[]::new));
  }

  /** Allocates direct buffers until Netty's limit is reached, and adds them to a list. */
  public static OutOfDirectMemoryError reach(ByteBufAllocator allocator, List<ByteBuf> live) {
    return catchThrowableOfType(
        OutOfDirectMemoryError.class,
        () -> {
          while (true) {
            live.add(allocator.directBuffer(100_000));
          }
        });
  }

  /** Before 4.2.12, Netty counted only what it obtained from the system itself. */
  private static boolean countsWhatTheJdkCounts() {
    try {
      PlatformDependent.class.getMethod("allocateDirect", int.class, boolean.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean counts() {
    long before = PlatformDependent.usedDirectMemory();
    CleanableDirectBuffer some = PlatformDependent.allocateDirect(1024, true);
    boolean counted = PlatformDependent.usedDirectMemory() > before;
    some.clean();
    return counted;
  }
}
