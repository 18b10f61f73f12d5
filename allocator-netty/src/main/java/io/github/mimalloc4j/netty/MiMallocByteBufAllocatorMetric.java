package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.system.NativeHeap;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.ByteBufAllocatorMetric;
import java.util.function.Supplier;

/** Figures of a {@link MiMallocByteBufAllocator}. Each call reads current values. Thread-safe. */
public final class MiMallocByteBufAllocatorMetric implements ByteBufAllocatorMetric {

  private final ThreadHeaps direct;
  private final ThreadHeaps array;
  private final boolean trimsNativeHeap;
  private final Supplier<LiveProfile> profile;

  MiMallocByteBufAllocatorMetric(
      ThreadHeaps direct,
      ThreadHeaps array,
      boolean trimsNativeHeap,
      Supplier<LiveProfile> profile) {
    this.direct = direct;
    this.array = array;
    this.trimsNativeHeap = trimsNativeHeap;
    this.profile = profile;
  }

  /**
   * Returns the bytes of direct memory that the allocator holds, whether or not buffers use them.
   */
  @Override
  public long usedDirectMemory() {
    return direct.usedBytes();
  }

  /**
   * Returns the bytes on the Java heap that the allocator holds, whether or not buffers use them.
   */
  @Override
  public long usedHeapMemory() {
    return array.usedBytes();
  }

  /**
   * {@return the bytes of direct memory in use by buffers, each counted with its whole block}
   * Visits all pages. The result is exact if no thread allocates or releases meanwhile, otherwise
   * an estimate.
   */
  public long pinnedDirectMemory() {
    return direct.liveBytes();
  }

  /**
   * {@return the bytes on the Java heap in use by buffers, as for {@link #pinnedDirectMemory()}}
   */
  public long pinnedHeapMemory() {
    return array.liveBytes();
  }

  /** {@return all figures of direct memory} Visits all pages. */
  public MemoryStatistics direct() {
    return direct.statistics();
  }

  /** {@return all figures of memory on the Java heap} Visits all pages. */
  public MemoryStatistics heap() {
    return array.statistics();
  }

  /**
   * {@return figures of the process} They are read from the system, and are the same for all
   * allocators except for whether this one trims the native heap.
   */
  public ProcessStatistics process() {
    NativeHeap nativeHeap = NativeHeap.PROCESS;
    String impossible = nativeHeap.unavailable();
    return new ProcessStatistics(
        ResidentMemory.bytes(),
        nativeHeap.trims(),
        nativeHeap.returnedBytes(),
        !trimsNativeHeap ? "off" : impossible == null ? "on" : "not possible: " + impossible);
  }

  /**
   * {@return the buffers in use, grouped by the place that allocated them and estimated from
   * samples} Empty unless {@linkplain MiMallocByteBufAllocator.Builder#sampleLive buffers are
   * sampled}. Takes some microseconds for each sample, and more for a sample that is read for the
   * first time. Delays no allocation.
   */
  public LiveProfile liveProfile() {
    return profile.get();
  }

  @Override
  public String toString() {
    return "MiMallocByteBufAllocatorMetric(usedDirectMemory: "
        + usedDirectMemory()
        + "; usedHeapMemory: "
        + usedHeapMemory()
        + "; pinnedDirectMemory: "
        + pinnedDirectMemory()
        + "; pinnedHeapMemory: "
        + pinnedHeapMemory()
        + ')';
  }
}
