package io.github.mimalloc4j.netty.support;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.nio.charset.Charset;
import java.util.concurrent.ThreadFactory;

/**
 * The line of Netty that the tests run with, which were compiled against 4.2. All that they need to
 * know of the differences is asked here.
 */
public enum NettyLine {
  V4_1 {
    @Override
    @SuppressWarnings("deprecation") // in 4.2 only
    public EventLoopGroup eventLoops(int size, ThreadFactory factory) {
      return new NioEventLoopGroup(size, factory);
    }
  },
  V4_2 {
    @Override
    public EventLoopGroup eventLoops(int size, ThreadFactory factory) {
      return new MultiThreadIoEventLoopGroup(size, factory, NioIoHandler.newFactory());
    }
  };

  /** The group of tests that use or compare what only 4.2 has; they are excluded on 4.1 by name. */
  public static final String NEEDS_4_2 = "needs-netty-4.2";

  public static final NettyLine CURRENT =
      hasClass("io.netty.channel.MultiThreadIoEventLoopGroup") ? V4_2 : V4_1;

  /**
   * Event loops for channels of NIO, as this line's applications make them. The result is an
   * interface, which the JVM verifies without the classes of the other line.
   */
  public abstract EventLoopGroup eventLoops(int size, ThreadFactory factory);

  /** Whether {@link ByteBuf#readString(int, Charset)} is there. */
  public static boolean readsStrings() {
    try {
      ByteBuf.class.getMethod("readString", int.class, Charset.class);
      return true;
    } catch (NoSuchMethodException e) { // in 4.1 and the first of 4.2
      return false;
    }
  }

  /** Whether Netty can be told of virtual threads: not so 4.1, and the first of 4.2. */
  static boolean knowsVirtualThreads() {
    try {
      FastThreadLocalThread.class.getMethod("runWithFastThreadLocal", Runnable.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean hasClass(String name) {
    try {
      Class.forName(name, false, NettyLine.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
