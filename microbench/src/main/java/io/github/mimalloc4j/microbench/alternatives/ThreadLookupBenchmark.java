package io.github.mimalloc4j.microbench.alternatives;

import io.github.mimalloc4j.microbench.harness.EventLoopBenchmark;
import io.netty.util.concurrent.FastThreadLocal;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * From the current thread, one of an event executor, to what it owns. The allocator goes by {@link
 * #fastThreadLocal}; nothing that needs the current thread can be cheaper than {@link
 * #currentThread}, and the difference is what a cheaper way could save at most.
 */
public class ThreadLookupBenchmark extends EventLoopBenchmark {

  private final FastThreadLocal<Object> fast =
      new FastThreadLocal<>() {
        @Override
        protected Object initialValue() {
          return new Object();
        }
      };

  private final ThreadLocal<Object> plain = ThreadLocal.withInitial(Object::new);

  @Benchmark
  public Object currentThread() {
    return Thread.currentThread();
  }

  @Benchmark
  public Object fastThreadLocal() {
    return fast.get();
  }

  @Benchmark
  public Object threadLocal() {
    return plain.get();
  }
}
