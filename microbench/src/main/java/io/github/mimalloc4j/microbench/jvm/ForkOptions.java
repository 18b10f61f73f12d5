package io.github.mimalloc4j.microbench.jvm;

/**
 * The JVM options of every measured JVM, so that all allocators run under the same ones. In a
 * benchmark's fork they come first: {@code -jvmArgsAppend} adds to them and may override one.
 */
public final class ForkOptions {
  /** Named, because the JVM chooses another collector on small machines. */
  public static final String GC = "-XX:+UseG1GC";

  /** Of a fixed size: a heap that grows while it is measured is a difference between forks. */
  public static final String HEAP_MIN = "-Xms1g";

  public static final String HEAP_MAX = "-Xmx1g";

  /**
   * The kernel provides each page of the Java heap at its first use, which would be charged to what
   * makes garbage: a retained slice of 40 bytes took 88 ns instead of 26.
   */
  public static final String HEAP_TOUCHED = "-XX:+AlwaysPreTouch";

  /** Detection costs every allocator about the same and would hide what is to be compared. */
  public static final String NO_LEAK_DETECTION = "-Dio.netty.leakDetection.level=disabled";

  /**
   * The measured thread waits for the compiler. Otherwise what is measured on a busy machine
   * depends on when the compiler's threads get a processor: figures of code that was not yet
   * compiled.
   */
  public static final String FOREGROUND_COMPILATION = "-XX:-BackgroundCompilation";

  public static final String EXECUTOR = "-Djmh.executor=CUSTOM";

  public static final String EXECUTOR_CLASS =
      "-Djmh.executor.class=io.github.mimalloc4j.microbench.harness.EventLoopExecutor";

  private ForkOptions() {}
}
