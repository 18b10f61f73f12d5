package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Much traffic at once: buffers of 64 bytes to 20 KB, and one in eight of 0.2 to 1.2 MB. */
public final class Burst {

  private Burst() {}

  /** Allocates until the buffers hold so many bytes. */
  public static List<ByteBuf> live(
      MiMallocByteBufAllocator allocator, boolean direct, long bytes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ByteBuf> live = new ArrayList<>();
    long allocated = 0;
    while (allocated < bytes) {
      int size =
          random.nextInt(8) == 0 ? random.nextInt(200_000, 1_200_000) : random.nextInt(64, 20_000);
      live.add(allocate(allocator, direct, size));
      allocated += size;
    }
    return live;
  }

  /** The tasks of several threads that make a burst together. */
  static List<Callable<List<ByteBuf>>> tasks(
      MiMallocByteBufAllocator allocator, boolean direct, long bytes, int threads) {
    return IntStream.range(0, threads)
        .<Callable<List<ByteBuf>>>mapToObj(
            seed -> () -> live(allocator, direct, bytes / threads, seed))
        .toList();
  }

  /** The tasks that release what each thread of a burst has allocated. */
  static List<Callable<Void>> releases(List<List<ByteBuf>> live) {
    return live.stream()
        .<Callable<Void>>map(
            buffers ->
                () -> {
                  buffers.forEach(ByteBuf::release);
                  return null;
                })
        .toList();
  }
}
