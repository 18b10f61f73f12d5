package io.github.mimalloc4j.microbench.footprint;

import io.github.mimalloc4j.microbench.workload.SizePattern;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The live buffers of one owner, from which random ones are released. Sizes and choices depend on
 * the seed alone, so that they are the same for all allocators. One thread at a time.
 */
final class BufferSet {
  private static final int DRAWN = 1 << 14;
  private static final int DRAW_SEED = 7;

  /** A WebSocket proxy's: 9 B to 17 KB, 2.5 KB on average. */
  static final int[] WEB_SOCKET_PROXY = draw(SizePattern.of("WEBSOCKET_PROXY"));

  /** Messages and downloads: 64 B to 20 KB, and 1 in 8 of 0.2 to 1.2 MB; 96 KB on average. */
  static final int[] BURST =
      draw(
          SizePattern.parse(
              "burst", List.of("uniform 64 20000:875", "uniform 200000 1200000:125")));

  /** 128 KiB to 8 MiB, as many below 1 MiB as above; 1.9 MiB on average. */
  static final int[] LARGE = draw(SizePattern.of("loguniform 131072 8388608"));

  private final Driver driver;
  private final int[] sizes;
  private final Random random;
  private final List<ByteBuf> buffers = new ArrayList<>();
  private long bytes;

  BufferSet(Driver driver, int[] sizes, long seed) {
    this.driver = driver;
    this.sizes = sizes;
    this.random = new Random(seed);
  }

  /** Draws the sizes of which sets choose. */
  static int[] draw(SizePattern pattern) {
    return pattern.draw(DRAWN, DRAW_SEED);
  }

  /** Makes a set for each event loop, with a seed of its own. */
  static BufferSet[] onePerLoop(Driver driver, int[] sizes, long seed) {
    return IntStream.range(0, Driver.LOOPS)
        .mapToObj(loop -> new BufferSet(driver, sizes, seed + loop))
        .toArray(BufferSet[]::new);
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

  void replace(int times) {
    for (int i = 0; i < times; i++) {
      driver.release(removeRandom());
      add();
    }
  }

  void shrinkTo(int count) {
    while (buffers.size() > count) {
      driver.release(removeRandom());
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
    ByteBuf buffer = driver.allocate(sizes[random.nextInt(sizes.length)]);
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
