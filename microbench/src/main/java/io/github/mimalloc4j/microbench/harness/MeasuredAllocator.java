package io.github.mimalloc4j.microbench.harness;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.AllocatorSource;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The allocator that a fork measures, one for all of its threads, and the knobs of all benchmarks.
 *
 * <p>Whatever allocates from it attaches itself before and detaches itself when it has released
 * everything; the last one finds out whether anything is left.
 */
@State(Scope.Benchmark)
public class MeasuredAllocator {
  /** Memory that a benchmark may keep alive, as a share of what there is. */
  private static final double USABLE_SHARE = 0.6;

  /** A name of {@link AllocatorKind}, or of a class: see {@link AllocatorSource#named}. */
  @Param({"MIMALLOC", "ADAPTIVE", "POOLED"})
  public String allocator;

  @Param("DIRECT")
  public BufferKind kind;

  /** Netty's leak detection, the same for all allocators. */
  @Param("DISABLED")
  public ResourceLeakDetector.Level leakDetection;

  /** Whether another allocator went through the same code before. */
  @Param("false")
  public boolean polluted;

  /** Whether all that is live is in the old generation before anything is measured. */
  @Param("false")
  public boolean aged;

  private final AtomicInteger attached = new AtomicInteger();
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicLong requiredBytes = new AtomicLong();
  private AllocatorSource source;
  private ByteBufAllocator measured;
  private BufferCalls calls;
  private ResourceLeakDetector.Level levelBefore;

  @Setup
  public void create() {
    levelBefore = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(leakDetection);
    source = AllocatorSource.named(allocator);
    measured = source.create();
    calls = new BufferCalls(measured, kind);
    SideResultsProfiler.reset();
  }

  @TearDown
  public void restore() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  public BufferCalls calls() {
    return calls;
  }

  BufferCalls otherCalls() {
    AllocatorKind other =
        source == AllocatorKind.POOLED ? AllocatorKind.ADAPTIVE : AllocatorKind.POOLED;
    return new BufferCalls(other.create(), kind);
  }

  public AllocatorSource source() {
    return source;
  }

  public void attach() {
    attached.incrementAndGet();
  }

  /**
   * Says that a user has released all of its buffers.
   *
   * @throws IllegalStateException if it is the last one and the allocator says that buffers are in
   *     use
   */
  public void detach() {
    if (attached.decrementAndGet() == 0) {
      source.requireAllReleased(measured, allocator);
    }
  }

  /**
   * Takes a sample of the memory.
   *
   * @param liveChange by how many bytes the caller's live buffers grew since the caller's last call
   */
  void sample(long liveChange) {
    SideResultsProfiler.memory(source.usedBytes(measured, kind), liveBytes.addAndGet(liveChange));
  }

  /**
   * Checks that so much memory is there for the calling thread, beside what the other threads have
   * asked for, rather than let a benchmark fail half way.
   */
  public void requireRoom(double bytes) {
    long room =
        kind == BufferKind.DIRECT
            ? PlatformDependent.maxDirectMemory()
            : Runtime.getRuntime().maxMemory();
    double required = requiredBytes.addAndGet((long) bytes);
    if (required > USABLE_SHARE * room) {
      throw new IllegalArgumentException(
          "about %,.0f MiB would be live of %,d MiB: choose fewer live buffers or smaller sizes, or"
                  .formatted(required / (1 << 20), room >> 20)
              + " give the forks more memory (-jvmArgsAppend \"-Xms4g -Xmx4g\")");
    }
  }
}
