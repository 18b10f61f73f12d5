package io.github.mimalloc4j.netty.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;

/** Another JVM in which Netty counts direct memory, and has a limit for it. */
public final class NettyLimit {

  private final List<String> options = new ArrayList<>();

  private NettyLimit(long bytes) {
    options.add("-Dio.netty.maxDirectMemory=" + bytes);
    if (NettyLine.CURRENT == NettyLine.V4_1) { // it counts no memory that the JDK counts
      options.add("-Dio.netty.tryReflectionSetAccessible=true");
      options.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    }
  }

  public static NettyLimit of(long bytes) {
    return new NettyLimit(bytes);
  }

  /** On JDK 17 without Unsafe, Netty has no way to free direct memory at once, and no limit. */
  public OtherJvm run(Class<?> main, String... more) {
    assumeTrue(NettyLine.CURRENT.canLimitDirectMemory(), "Netty does not count direct memory");
    options.addAll(List.of(more));
    return OtherJvm.run(main, options.toArray(String[]::new));
  }
}
