package io.github.mimalloc4j.microbench.threads;

import io.github.mimalloc4j.microbench.harness.AllocatorBenchmark;
import io.github.mimalloc4j.microbench.harness.BufferCalls;
import io.github.mimalloc4j.microbench.harness.MeasuredAllocator;
import io.github.mimalloc4j.microbench.harness.Workers;
import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * A server whose threads come and go: each replaces random buffers of its clients for a while and
 * ends; a successor takes over the clients with all of their buffers. After Larson and Krishnan,
 * "Memory allocation for long-running server applications" (1998).
 *
 * <p>An operation is one replacement by each of the threads, which run side by side. Starting and
 * ending the threads is part of it. Nothing is written to the buffers.
 */
public class LarsonServerBenchmark extends AllocatorBenchmark {
  /** Replacements that a thread makes before it ends: some milliseconds of work. */
  private static final int STEPS = 1 << 16;

  private static final int STEP_MASK = STEPS - 1;

  @Param("2")
  public int workers;

  @Param("EVENT_LOOP")
  public Workers threads;

  @Param("1024")
  public int live;

  @Param("uniform 8 1000")
  public String sizes;

  private char[] slots;
  private int[] drawnSizes;
  private List<Clients> clients;

  @Setup
  public void setUp(MeasuredAllocator allocator) {
    slots = drawSlots(STEPS, live, 0x5EED_0052L);
    SizePattern pattern = SizePattern.of(sizes);
    allocator.requireRoom(workers * live * pattern.mean());
    drawnSizes = pattern.draw(STEPS, 0x5EED_0051L);
    start(allocator, 4, this::generation);
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public void generation() {
    threads.runAll(clients);
  }

  /** The buffers that one thread after the other takes care of. */
  private final class Clients implements Runnable {
    private final ByteBuf[] buffers = new ByteBuf[live];
    private final BufferCalls calls = calls();
    private int step;

    /** Begins at another place of the script than the other threads. */
    Clients(int worker) {
      step = worker * (STEPS / 16 + 1);
      calls.fill(buffers, drawnSizes);
    }

    @Override
    public void run() {
      for (int i = 0; i < STEPS; i++) {
        int now = step++ & STEP_MASK;
        int slot = slots[now];
        BufferCalls.release(buffers[slot]);
        buffers[slot] = calls.allocate(drawnSizes[now]);
      }
    }
  }

  @Override
  protected final void begin() {
    clients = IntStream.range(0, workers).mapToObj(Clients::new).toList();
  }

  @Override
  protected final void end() {
    clients.forEach(each -> BufferCalls.releaseAll(each.buffers));
  }

  @Override
  protected final long liveBytes() {
    return clients.stream().mapToLong(each -> BufferCalls.bytes(each.buffers)).sum();
  }
}
