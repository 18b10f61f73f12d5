package io.github.mimalloc4j.microbench.alternatives;

import io.github.mimalloc4j.microbench.ForkOptions;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * From the current thread, one of an event executor, to what it owns. The allocator goes by {@link
 * #fastThreadLocal}; nothing that needs the current thread can be cheaper than {@link
 * #currentThread}, and the difference is what a cheaper way could save at most.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 3,
    jvmArgsPrepend = {
      ForkOptions.GC,
      ForkOptions.HEAP_MIN,
      ForkOptions.HEAP_MAX,
      ForkOptions.FOREGROUND_COMPILATION,
      ForkOptions.EXECUTOR,
      ForkOptions.EXECUTOR_CLASS
    })
public class ThreadLookupBenchmark {

  private final FastThreadLocal<Object> fast =
      new FastThreadLocal<>() {
        @Override
        protected Object initialValue() {
          return new Object();
        }
      };

  private final ThreadLocal<Object> plain = ThreadLocal.withInitial(Object::new);

  /** Made by JMH. */
  public ThreadLookupBenchmark() {}

  /** The thread alone. */
  @Benchmark
  public Object currentThread() {
    return Thread.currentThread();
  }

  /** By Netty's array in the thread. */
  @Benchmark
  public Object fastThreadLocal() {
    return fast.get();
  }

  /** By the JDK's hash map in the thread. */
  @Benchmark
  public Object threadLocal() {
    return plain.get();
  }
}
