package io.github.mimalloc4j.microbench.allocation;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Queues;
import io.github.mimalloc4j.microbench.harness.Touch;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * Buffers are allocated in batches of 256 and released in batches, in reverse or another order, by
 * the same or another thread: after sh6bench, sh8bench and xmalloc-test of mimalloc-bench.
 *
 * <p>An operation is one buffer: allocated and released, or one of both on either side.
 */
public class BatchBenchmark extends AllocatorBenchmark {
  private static final int BATCH = 256;
  private static final int STEPS = 1 << 16;
  private static final int STEP_MASK = STEPS - 1;

  /** The batches that go round between the two threads. */
  @State(Scope.Group)
  public static class Batches {
    private static final int COUNT = 4;

    private final Queue<ByteBuf[]> full = Queues.bounded(COUNT);
    private final Queue<ByteBuf[]> empty = Queues.bounded(COUNT);

    public Batches() {
      for (int i = 0; i < COUNT; i++) {
        empty.add(new ByteBuf[BATCH]);
      }
    }
  }

  public enum Order {
    SAME,
    REVERSE,
    /** Any, the same each time. */
    RANDOM;

    int[] indexes(int batch) {
      List<Integer> indexes = IntStream.range(0, batch).boxed().collect(Collectors.toList());
      if (this == REVERSE) {
        Collections.reverse(indexes);
      } else if (this == RANDOM) {
        Collections.shuffle(indexes, new Random(0x5EED_0041L));
      }
      return indexes.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  @Param("REVERSE")
  public Order order;

  @Param("WEBSOCKET_PROXY")
  public String sizes;

  @Param("NONE")
  public Touch touch;

  private final ByteBuf[] batch = new ByteBuf[BATCH];
  private int[] drawnSizes;
  private int[] indexes;
  private int step;
  private Batches batches;

  @Setup
  public void setUp(MeasuredAllocator allocator, Batches shared) {
    drawnSizes = SizePattern.of(sizes).draw(STEPS, 0x5EED_0042L);
    indexes = order.indexes(BATCH);
    batches = shared;
    // Steps for pollution only: the thread that releases must not have memory of its own.
    start(allocator, 0, STEPS / BATCH, this::sameThread);
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void sameThread() {
    allocate(batch);
    release(batch);
  }

  @Benchmark
  @Group("otherThread")
  @OperationsPerInvocation(BATCH)
  public void allocateBatch(Control control) {
    ByteBuf[] next = take(batches.empty, control);
    if (next != null) {
      allocate(next);
      batches.full.add(next);
    }
  }

  @Benchmark
  @Group("otherThread")
  @OperationsPerInvocation(BATCH)
  public void releaseBatch(Control control) {
    ByteBuf[] next = take(batches.full, control);
    if (next != null) {
      release(next);
      batches.empty.add(next);
    }
  }

  private static ByteBuf[] take(Queue<ByteBuf[]> queue, Control control) {
    int waits = 0;
    ByteBuf[] next;
    while ((next = queue.poll()) == null && !control.stopMeasurement) {
      Queues.await(waits++);
    }
    return next;
  }

  private void allocate(ByteBuf[] into) {
    for (int i = 0; i < BATCH; i++) {
      int size = drawnSizes[step++ & STEP_MASK];
      ByteBuf buffer = calls().allocate(size);
      touch.write(buffer, size);
      into[i] = buffer;
    }
  }

  private void release(ByteBuf[] from) {
    for (int index : indexes) {
      BufferCalls.release(from[index]);
    }
  }

  @Override
  protected final void end() {
    ByteBuf[] left;
    while ((left = batches.full.poll()) != null) {
      release(left);
    }
  }
}
