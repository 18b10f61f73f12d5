package io.github.mimalloc4j.netty.misuse;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.Soundness;
import io.netty.buffer.ByteBuf;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The bytes of live blocks. No two of them may overlap. */
public final class LiveRanges {

  private static final Object ADDRESSES = new Object();

  /** By memory, the end of each live block by its start. */
  private final Map<Object, TreeMap<Long, Long>> byMemory = new IdentityHashMap<>();

  public void add(ByteBuf buffer) {
    TreeMap<Long, Long> ranges = byMemory.computeIfAbsent(memory(buffer), any -> new TreeMap<>());
    long start = start(buffer);
    long end = start + Soundness.blockBytes(buffer);
    Map.Entry<Long, Long> below = ranges.lowerEntry(end);
    if (below != null && below.getValue() > start) {
      throw new AssertionError(
          "[" + start + ", " + end + ") overlaps a live block, " + below + ": " + buffer);
    }
    ranges.put(start, end);
  }

  /** To be called while the buffer is live, and before it may move to another block. */
  public void remove(ByteBuf buffer) {
    Object memory = memory(buffer);
    TreeMap<Long, Long> ranges = byMemory.get(memory);
    if (ranges == null || ranges.remove(start(buffer)) == null) {
      throw new AssertionError("moved while live: " + buffer);
    }
    if (ranges.isEmpty()) {
      byMemory.remove(memory); // or it would keep the memory from being collected
    }
  }

  private static Object memory(ByteBuf buffer) {
    if (buffer.hasArray()) {
      return buffer.array();
    }
    return buffer.hasMemoryAddress() ? ADDRESSES : ((MiMallocByteBuf) buffer).memory();
  }

  private static long start(ByteBuf buffer) {
    if (buffer.hasArray()) {
      return buffer.arrayOffset();
    }
    return buffer.hasMemoryAddress() ? buffer.memoryAddress() : ((MiMallocByteBuf) buffer).offset();
  }
}
