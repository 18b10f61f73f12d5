package io.github.mimalloc4j.core;

import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A model of an allocator: what was handed out and has not come back. */
final class LiveBlocks {

  private final TreeMap<Long, TestBlock> byAddress = new TreeMap<>();
  private final List<TestBlock> blocks = new ArrayList<>();
  private long bytes;
  private long allocations;

  /**
   * Takes note of a block that was handed out.
   *
   * @throws AssertionError if it is in use, or too small, or overlaps with another
   */
  void add(TestBlock block, int requestedBytes) {
    require(block.size() >= requestedBytes, "a block is smaller than what it has to hold");
    block.begin();
    Map.Entry<Long, TestBlock> below = byAddress.floorEntry(block.address);
    Long above = byAddress.ceilingKey(block.address);
    require(
        below == null || below.getKey() + below.getValue().size() <= block.address,
        "a block overlaps with the one below");
    require(
        above == null || block.address + block.size() <= above,
        "a block overlaps with the one above");
    byAddress.put(block.address, block);
    blocks.add(block);
    bytes += block.size();
    allocations++;
  }

  /** Chooses a block, which is in use no more. */
  TestBlock remove(int index) {
    TestBlock block = blocks.get(index);
    int last = blocks.size() - 1;
    blocks.set(index, blocks.get(last));
    blocks.remove(last);
    byAddress.remove(block.address);
    bytes -= block.size();
    return block;
  }

  boolean isEmpty() {
    return blocks.isEmpty();
  }

  int count() {
    return blocks.size();
  }

  /** Fails unless the allocator is sound and counts as this does. */
  void check(TestAllocator test) {
    test.check();
    same("live bytes", test.allocator.liveBytes(), bytes);
    same("used bytes", test.allocator.usedBytes(), test.source.usedBytes());
    require(test.doubleReleases() == 0, "a double release was caught");
    MemoryStatistics now = StatisticsReader.read(test.allocator);
    same("allocations", now.counts().allocations(), allocations);
    same("the parts' bytes", now.bytes().live() + now.bytes().retained(), now.bytes().used());
    long live = now.bytes().large() + now.bytes().huge();
    for (MemoryStatistics.SizeClass each : now.sizeClasses()) {
      live += each.liveBlocks() * each.blockBytes();
    }
    same("live bytes by size classes", live, bytes);
  }

  private static void same(String what, long allocator, long model) {
    require(allocator == model, what + ": " + allocator + ", by the model " + model);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
