package io.github.mimalloc4j.netty.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.PrintedLog;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import io.github.mimalloc4j.netty.system.NativeHeap;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * Programs whose JVM has a Java heap that is resident from the start, so that what comes and goes
 * is direct memory. They fail if it does not.
 */
public final class ResidentMemoryPrograms {

  private static final int MIB = 1 << 20;
  private static final int THREADS = 4;
  private static final long BURST_BYTES = 256 * MIB;
  private static final int OS_PAGE = 4096;

  /** Twice the delay of a trim of the native heap. */
  private static final int LATER_THAN_TRIMS_MILLIS = 1000;

  /** Of the peak. The target is a fifth of it, and a benchmark's business. */
  private static final double MOST_LEFT = 0.25;

  private ResidentMemoryPrograms() {}

  /** Several bursts, of buffers that share segments and of such that do not. */
  public static final class Bursts {
    public static void main(String[] args) {
      IdlePrograms.begin();
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS)) {
        burst(allocator, owners, 64, MIB); // what the JVM itself takes for good
        awaitReturn(allocator, Long.MAX_VALUE);
        for (int round = 0; round < 3; round++) {
          burstComesBack(allocator, owners, 64, MIB);
          burstComesBack(allocator, owners, 9 * MIB, 24 * MIB);
        }
      }
      assertThat(NativeHeap.PROCESS.trims()).isPositive();
      // What the collector's thread frees may be back at the system before anybody can trim.
      assertThat(NativeHeap.PROCESS.returnedBytes())
          .isGreaterThan(freesByGarbageCollection() ? 0 : BURST_BYTES);
    }

    private static void burstComesBack(
        MiMallocByteBufAllocator allocator, ThreadKind.Group owners, int min, int max) {
      long before = ResidentMemory.bytes();
      long peak = burst(allocator, owners, min, max);
      assertThat(peak - before).as("a burst").isGreaterThan(BURST_BYTES / 2);
      awaitReturn(allocator, before + (long) (MOST_LEFT * (peak - before)));
    }
  }

  /** With the option off the command is never run, not even if memory is to be given back. */
  public static final class OptionOff {
    public static void main(String[] args) {
      IdlePrograms.begin();
      try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS)) {
        MiMallocByteBufAllocator allocator =
            Options.TRIM_NATIVE_HEAP.value()
                ? MiMallocByteBufAllocator.builder().trimNativeHeap(false).build()
                : new MiMallocByteBufAllocator(true);
        burst(allocator, owners, 64, MIB);
        Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
        Idle.awaitUpkeep(LATER_THAN_TRIMS_MILLIS);
        assertThat(NativeHeap.PROCESS.trims()).isZero();
        allocator.trim();
        assertThat(NativeHeap.PROCESS.trims()).isZero();
      }
    }
  }

  /** {@code trim()} does it on the calling thread, and memory on the Java heap is no reason. */
  public static final class AtOnce {
    public static void main(String[] args) {
      IdlePrograms.begin();
      MiMallocByteBufAllocator allocator =
          MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
      allocator.heapBuffer(9 * MIB).release();
      assertThat(NativeHeap.PROCESS.trims()).isZero();
      allocator.trim();
      assertThat(NativeHeap.PROCESS.trims()).isEqualTo(1);
      allocator.trim();
      assertThat(NativeHeap.PROCESS.trims()).isEqualTo(2);
    }
  }

  /** No JMX, and so no command. Prints the allocator's log. */
  public static final class WithoutJmx {
    public static void main(String[] args) {
      PrintedLog.begin();
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      require(allocator.dumpStats(), "native heap trimming: on");
      for (int round = 0; round < 3; round++) {
        if (!allocator.directBuffer(9 * MIB).release()) {
          throw new AssertionError("not released");
        }
        allocator.trim();
      }
      require(
          allocator.dumpStats(),
          "native heap trimming: not possible: there is no module java.management");
    }

    /** Without AssertJ, which this JVM lacks modules for. */
    private static void require(String text, String part) {
      if (!text.contains(part)) {
        throw new AssertionError(part + " is missing in " + text);
      }
    }
  }

  /** Returns what was resident when all was live. */
  private static long burst(
      MiMallocByteBufAllocator allocator, ThreadKind.Group owners, int min, int max) {
    List<List<ByteBuf>> live =
        Together.on(
            owners,
            IntStream.range(0, THREADS)
                .<Callable<List<ByteBuf>>>mapToObj(seed -> () -> live(allocator, seed, min, max))
                .toList());
    long peak = ResidentMemory.bytes();
    Together.on(owners, Burst.releases(live));
    return peak;
  }

  private static List<ByteBuf> live(
      MiMallocByteBufAllocator allocator, int seed, int min, int max) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ByteBuf> live = new ArrayList<>();
    for (long bytes = 0; bytes < BURST_BYTES / THREADS; ) {
      ByteBuf buffer = allocator.directBuffer(random.nextInt(min, max));
      for (int i = 0; i < buffer.capacity(); i += OS_PAGE) {
        buffer.setByte(i, 1);
      }
      bytes += buffer.capacity();
      live.add(buffer);
    }
    return live;
  }

  private static void awaitReturn(MiMallocByteBufAllocator allocator, long mostResident) {
    Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    if (freesByGarbageCollection()) {
      System.gc();
    }
    Patience.await()
        .untilAsserted(
            () -> {
              if (freesByGarbageCollection()) {
                allocator.trim(); // nobody else knows when the collector's thread frees it
              }
              assertThat(ResidentMemory.bytes()).isLessThanOrEqualTo(mostResident);
            });
  }

  private static boolean freesByGarbageCollection() {
    return !PlatformDependent.hasUnsafe() && PlatformDependent.javaVersion() < 24;
  }
}
