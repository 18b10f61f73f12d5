package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.Stamp;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.internal.OutOfDirectMemoryError;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Programs for a JVM with little memory. They end with an exception if something is not right. */
public final class OutOfMemoryPrograms {

  private static final int MIB = 1 << 20;

  private OutOfMemoryPrograms() {}

  private static MiMallocByteBufAllocator newAllocator() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    return new MiMallocByteBufAllocator(true);
  }

  /** Requests that no limit of this JVM allows, up to the largest int. */
  public static final class HugeSizes {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = newAllocator();
      int max = Integer.MAX_VALUE;
      // The JDK waits half a second before it denies direct memory.
      int[] directSizes = {max, max - 1, max - 16383};
      int[] heapSizes = {max, max - 1, max - 2, max - 7, max - 8, max - 16383, 1 << 30};
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuf live = allocate(allocator, direct, 1000);
        live.retain();
        Stamp.write(live, 1);
        long used = used(allocator, direct);
        for (int size : direct ? directSizes : heapSizes) {
          assertThatThrownBy(() -> allocate(allocator, direct, size))
              .as("%d bytes, direct %s", size, direct)
              .isInstanceOf(OutOfMemoryError.class);
          assertThatThrownBy(() -> live.capacity(size))
              .as("growth to %d bytes, direct %s", size, direct)
              .isInstanceOf(OutOfMemoryError.class);
          assertThat(live.capacity()).isEqualTo(1000);
          assertThat(live.refCnt()).isEqualTo(2);
          Stamp.check(live, 1);
          assertThat(used(allocator, direct)).isEqualTo(used);
          assertSound(allocator);
          ByteBuf another = allocate(allocator, direct, 1000);
          assertThat(another.release()).isTrue();
        }
        live.release(2);
        assertNothingHeld(allocator);
      }
    }
  }

  /** Fills direct memory with each of several mixes of sizes, releases, and does it again. */
  public static final class FillAgainAndAgain {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = newAllocator();
      long limit = PlatformDependent.maxDirectMemory();
      int[] largest = {1000, 128 << 10, 3 * MIB};
      for (int size : largest) {
        long filledFirst = fillAndRelease(allocator, new Random(size), size);
        assertThat(filledFirst).isGreaterThan(limit / 2 - size);
        for (int round = 0; round < 2; round++) {
          assertNothingHeld(allocator);
          assertThat(fillAndRelease(allocator, new Random(size), size))
              .as("of the same sizes, up to %d, again", size)
              .isEqualTo(filledFirst);
        }
        assertNothingHeld(allocator);
      }
      assertThat(PlatformDependent.usedDirectMemory()).as("counted by Netty").isZero();
    }

    private static long fillAndRelease(
        MiMallocByteBufAllocator allocator, Random random, int largest) {
      List<ByteBuf> live = new ArrayList<>();
      long filled = 0;
      try {
        while (true) {
          ByteBuf buffer = allocator.directBuffer(1 + random.nextInt(largest));
          live.add(buffer);
          Stamp.write(buffer, live.size());
          filled += buffer.capacity();
        }
      } catch (OutOfDirectMemoryError expected) {
        assertSound(allocator);
      }
      for (int i = 0; i < live.size(); i++) {
        Stamp.check(live.get(i), i + 1);
        live.get(i).release();
      }
      return filled;
    }
  }

  /**
   * What the thread keeps after small buffers were released must not stand in the way of a large
   * one.
   */
  public static final class LargeAfterSmall {
    public static void main(String[] args) {
      int limit = (int) PlatformDependent.maxDirectMemory();
      for (int large : new int[] {limit - MIB / 2, limit / 2, limit - 9 * MIB}) {
        MiMallocByteBufAllocator allocator = newAllocator();
        List<ByteBuf> live = new ArrayList<>();
        try {
          while (true) {
            live.add(allocator.directBuffer(5000));
          }
        } catch (OutOfDirectMemoryError expected) {
          live.forEach(ByteBuf::release);
        }
        ByteBuf buffer = allocator.directBuffer(large);
        buffer.release();
        assertNothingHeld(allocator);
      }
    }
  }

  /** The same as {@link FillAgainAndAgain} for the Java heap, whose errors come from the JVM. */
  public static final class FillJavaHeap {
    private static byte[] reserve;

    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = newAllocator();
      fillAndRelease(allocator, new ByteBuf[10], 100); // loads the classes while there is room
      for (int bytes : new int[] {100, 20_000, 9 * MIB}) {
        for (int round = 0; round < 2; round++) {
          long count = fillAndRelease(allocator, new ByteBuf[500_000], bytes);
          assertThat(count * bytes).as("of %d bytes", bytes).isGreaterThan(16L * MIB);
        }
      }
    }

    private static int fillAndRelease(
        MiMallocByteBufAllocator allocator, ByteBuf[] live, int bytes) {
      reserve = new byte[MIB];
      int count = 0;
      try {
        while (count < live.length) {
          live[count] = allocator.heapBuffer(bytes);
          count++;
        }
      } catch (OutOfMemoryError expected) {
        reserve = null; // a release by another thread than the owner may need a little
      }
      for (int i = 0; i < count; i++) {
        if (!live[i].release()) {
          throw new AssertionError("buffer " + i);
        }
        live[i] = null;
      }
      allocator.trim();
      assertNothingHeld(allocator);
      return count;
    }
  }
}
