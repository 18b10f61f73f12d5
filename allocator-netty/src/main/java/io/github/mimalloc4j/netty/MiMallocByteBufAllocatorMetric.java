package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.core.statistics.ProcessStatistics;
import io.github.mimalloc4j.netty.system.NativeHeap;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.ByteBufAllocatorMetric;

/** Figures of a {@link MiMallocByteBufAllocator}, each read when asked for. Thread-safe. */
public final class MiMallocByteBufAllocatorMetric implements ByteBufAllocatorMetric {

  private final ThreadHeaps direct;
  private final ThreadHeaps array;
  private final boolean trimsNativeHeap;

  MiMallocByteBufAllocatorMetric(ThreadHeaps direct, ThreadHeaps array, boolean trimsNativeHeap) {
    this.direct = direct;
    this.array = array;
    this.trimsNativeHeap = trimsNativeHeap;
  }

  /** The bytes of direct memory that the allocator holds, in use by buffers or not. */
  @Override
  public long usedDirectMemory() {
    return direct.usedBytes();
  }

  /** The bytes on the Java heap that the allocator holds for buffers, in use by buffers or not. */
  @Override
  public long usedHeapMemory() {
    return array.usedBytes();
  }

  /**
   * {@return the bytes of direct memory in use by buffers, each counted with its whole block} Exact
   * while no buffer is allocated or released, else an estimate; computed by a walk over all pages.
   */
  public long pinnedDirectMemory() {
    return direct.pinnedBytes();
  }

  /** {@return the same as {@link #pinnedDirectMemory()}, of buffers on the Java heap} */
  public long pinnedHeapMemory() {
    return array.pinnedBytes();
  }

  /** {@return all figures of direct memory, by a walk over all pages} */
  public MemoryStatistics direct() {
    return direct.statistics();
  }

  /** {@return the same as {@link #direct()}, of memory on the Java heap} */
  public MemoryStatistics heap() {
    return array.statistics();
  }

  /**
   * {@return figures of the process, which are the same for all allocators but for whether this one
   * has the native heap trimmed} They are read from the system.
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
