package io.github.mimalloc4j.microbench.footprint;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;

/**
 * The live buffers of one owner, from which random ones are released. Sizes and choices depend on
 * the seed alone, so that they are the same for all allocators. One thread at a time.
 */
final class BufferSet {
  private final LiveMemory memory;
  private final ToIntFunction<Random> sizes;
  private final Random random;
  private final List<ByteBuf> buffers = new ArrayList<>();
  private long bytes;

  BufferSet(LiveMemory memory, ToIntFunction<Random> sizes, long seed) {
    this.memory = memory;
    this.sizes = sizes;
    this.random = new Random(seed);
  }

  int count() {
    return buffers.size();
  }

  /** Adds buffers until the set has at least so many bytes. */
  void fillTo(long target) {
    while (bytes < target) {
      add();
    }
  }

  /** Releases random buffers and allocates as many others. */
  void replace(int times) {
    for (int i = 0; i < times; i++) {
      memory.release(removeRandom());
      add();
    }
  }

  /** Releases random buffers until so many are left. */
  void shrinkTo(int count) {
    while (buffers.size() > count) {
      memory.release(removeRandom());
    }
  }

  /** Takes all buffers out of the set, for another thread to release. */
  List<ByteBuf> removeAll() {
    List<ByteBuf> all = List.copyOf(buffers);
    buffers.clear();
    bytes = 0;
    return all;
  }

  private void add() {
    ByteBuf buffer = memory.allocate(sizes.applyAsInt(random));
    bytes += buffer.capacity();
    buffers.add(buffer);
  }

  private ByteBuf removeRandom() {
    int index = random.nextInt(buffers.size());
    // The last one takes its place: the order does not matter, and nothing has to be moved up.
    ByteBuf last = buffers.remove(buffers.size() - 1);
    ByteBuf removed = index == buffers.size() ? last : buffers.set(index, last);
    bytes -= removed.capacity();
    return removed;
  }
}
