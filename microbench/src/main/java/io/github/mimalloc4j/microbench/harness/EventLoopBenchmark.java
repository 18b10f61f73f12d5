package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.jvm.ForkOptions;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How all benchmarks are run: the same JVM's options and times, on threads of an event executor.
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
      ForkOptions.HEAP_TOUCHED,
      ForkOptions.FOREGROUND_COMPILATION,
      ForkOptions.NO_LEAK_DETECTION,
      ForkOptions.EXECUTOR,
      ForkOptions.EXECUTOR_CLASS
    })
public abstract class EventLoopBenchmark {}
