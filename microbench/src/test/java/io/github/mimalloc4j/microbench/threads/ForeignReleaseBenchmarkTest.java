package io.github.mimalloc4j.microbench.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.harness.EventLoopExecutor;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.threads.ForeignReleaseBenchmark.Ring;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

@Timeout(180)
class ForeignReleaseBenchmarkTest {
  private static final int THREADS = 3;
  private static final int STEPS = 1 << 18;

  /** Leaves fewer buffers than make a thread wait for the next one. */
  private static final int TURN = 1 << 7;

  /** Counts its buffers' releases by the thread that allocated them, and by any other. */
  public static final class Counting extends AbstractByteBufAllocator {
    public static final Counting DEFAULT = new Counting();

    private final LongAdder allocated = new LongAdder();
    private final LongAdder own = new LongAdder();
    private final LongAdder foreign = new LongAdder();

    private Counting() {}

    @Override
    protected ByteBuf newHeapBuffer(int bytes, int max) {
      allocated.increment();
      Thread allocator = Thread.currentThread();
      return new UnpooledHeapByteBuf(this, bytes, max) {
        @Override
        protected void deallocate() {
          (Thread.currentThread() == allocator ? own : foreign).increment();
          super.deallocate();
        }
      };
    }

    @Override
    protected ByteBuf newDirectBuffer(int bytes, int max) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private final EventLoopExecutor executor = new EventLoopExecutor(THREADS, "foreign-release");
  private final List<ForeignReleaseBenchmark> benchmarks = new ArrayList<>();
  private final Control control = new Control();

  @AfterEach
  void stop() {
    executor.shutdownGracefully();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 25, 100})
  void shareOfForeignReleasesIsTheParameter(int percent) {
    MeasuredAllocator measured = new MeasuredAllocator();
    measured.allocator = Counting.class.getName();
    measured.kind = BufferKind.HEAP;
    measured.leakDetection = ResourceLeakDetector.getLevel();
    measured.create();
    Ring ring = new Ring();
    ring.create(thread(0, THREADS));
    for (int i = 0; i < THREADS; i++) {
      benchmarks.add(benchmark(percent));
    }
    onEachThread(i -> benchmarks.get(i).setUp(measured, ring, thread(i, THREADS)));
    long own = Counting.DEFAULT.own.sum();
    long foreign = Counting.DEFAULT.foreign.sum();

    for (int done = 0; done < STEPS; done += TURN) {
      onEachThread(i -> turn(benchmarks.get(i)));
    }

    own = Counting.DEFAULT.own.sum() - own;
    foreign = Counting.DEFAULT.foreign.sum() - foreign;
    assertThat(own + foreign).isCloseTo(THREADS * STEPS, withinPercentage(0.5));
    assertThat(100.0 * foreign / (own + foreign)).isCloseTo(percent, within(0.5));

    onEachThread(i -> benchmarks.get(i).tearDown());
    assertThat(Counting.DEFAULT.own.sum() + Counting.DEFAULT.foreign.sum())
        .isEqualTo(Counting.DEFAULT.allocated.sum());
  }

  /** Does something for each thread in its turn. */
  private void onEachThread(IntConsumer action) {
    int index = 0;
    for (EventExecutor thread : executor) {
      int each = index++;
      thread.submit(() -> action.accept(each)).syncUninterruptibly();
    }
  }

  @Test
  void oneThreadIsRefused() {
    assertThatThrownBy(() -> new Ring().create(thread(0, 1)))
        .hasMessage("a foreign release takes two threads: -t 2 or more");
  }

  private void turn(ForeignReleaseBenchmark benchmark) {
    for (int i = 0; i < TURN; i++) {
      benchmark.replaceRandomSlot(control);
    }
  }

  private static ForeignReleaseBenchmark benchmark(int percent) {
    ForeignReleaseBenchmark benchmark = new ForeignReleaseBenchmark();
    benchmark.live = 64;
    benchmark.sizes = "16";
    benchmark.foreignPercent = percent;
    benchmark.touch = Touch.NONE;
    return benchmark;
  }

  private static ThreadParams thread(int index, int count) {
    return new ThreadParams(index, count, 0, 1, 0, 1, index, count, index, count);
  }
}
