package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that no buffer uses comes back although nobody calls the allocator any more. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class IdleGiveBackTest {

  private static final long BURST_BYTES = 256 << 20;
  private static final int THREADS = 4;

  /** Who releases what event loops have allocated. */
  enum Releasing {
    OWNERS,
    OTHER_EVENT_LOOPS,
    PLAIN_THREADS
  }

  static Stream<Arguments> releasingOfEitherKind() {
    return Stream.of(Releasing.values())
        .flatMap(each -> Stream.of(Arguments.of(each, true), Arguments.of(each, false)));
  }

  @ParameterizedTest
  @MethodSource("releasingOfEitherKind")
  void aBurstOfEventLoopsComesBack(Releasing releasing, boolean direct) {
    burstOfEventLoops(Idle.newAllocator(), releasing, direct);
  }

  @Test
  void aBurstComesBackWithTheDefaultOptions() {
    burstOfEventLoops(new MiMallocByteBufAllocator(true), Releasing.PLAIN_THREADS, true);
  }

  private static void burstOfEventLoops(
      MiMallocByteBufAllocator allocator, Releasing releasing, boolean direct) {
    try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS);
        ThreadKind.Group others = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS)) {
      List<List<ByteBuf>> live =
          Together.on(owners, Burst.tasks(allocator, direct, BURST_BYTES, THREADS));
      assertThat(used(allocator, direct)).isGreaterThanOrEqualTo(BURST_BYTES);
      switch (releasing) {
        case OWNERS -> Together.on(owners, Burst.releases(live));
        case OTHER_EVENT_LOOPS -> Together.on(others, Burst.releases(live));
        case PLAIN_THREADS -> Together.on(ThreadKind.PLAIN, Burst.releases(live));
      }
      Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    }
    assertNothingHeld(allocator);
  }

  static Stream<Arguments> threadsWithoutHeaps() {
    return Stream.of(ThreadKind.available())
        .filter(kind -> !kind.ownsHeap())
        .flatMap(kind -> Stream.of(Arguments.of(kind, true), Arguments.of(kind, false)));
  }

  @ParameterizedTest
  @MethodSource("threadsWithoutHeaps")
  void aBurstOfThreadsThatShareHeapsComesBack(ThreadKind kind, boolean direct) {
    MiMallocByteBufAllocator allocator = Idle.newAllocator();
    List<List<ByteBuf>> live =
        Together.on(kind, Burst.tasks(allocator, direct, BURST_BYTES, THREADS));
    assertThat(used(allocator, direct)).isGreaterThanOrEqualTo(BURST_BYTES);
    Together.on(kind, Burst.releases(live));
    Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    assertNothingHeld(allocator);
  }

  /** A live buffer keeps its own segment, and no other. */
  @Test
  void oneLiveBufferKeepsLittleOfABurst() {
    MiMallocByteBufAllocator allocator = Idle.newAllocator();
    try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS)) {
      ByteBuf kept = owners.call(() -> allocator.directBuffer(1000));
      List<List<ByteBuf>> live =
          Together.on(owners, Burst.tasks(allocator, true, BURST_BYTES, THREADS));
      Together.on(ThreadKind.PLAIN, Burst.releases(live));
      Idle.awaitUsed(allocator, BURST_BYTES / 20);
      kept.release();
      Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    }
    assertNothingHeld(allocator);
  }

  /** The control of the tests above: without upkeep, what they wait for does not happen. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutUpkeepNothingComesBack(boolean releasedByOwners) throws Exception {
    MiMallocByteBufAllocator allocator =
        MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
    try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, THREADS)) {
      List<List<ByteBuf>> live =
          Together.on(owners, Burst.tasks(allocator, true, BURST_BYTES, THREADS));
      long peak = used(allocator, true);
      if (releasedByOwners) {
        Together.on(owners, Burst.releases(live));
      } else {
        Together.on(ThreadKind.PLAIN, Burst.releases(live));
      }
      Thread.sleep(10 * Idle.TRIM_DELAY_MILLIS);
      assertThat(used(allocator, true)).isGreaterThan(peak / 20);
    }
    assertNothingHeld(allocator);
  }

  /** Pages are exhausted, or their owner has released a block of each before it became idle. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void releasesIntoAnOwnerThatHasLongBeenIdleGiveItsMemoryBack(boolean exhausted) {
    MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();
    try (CountingEventLoop owner = new CountingEventLoop()) {
      for (int round = 0; round < 3; round++) {
        List<ByteBuf> live =
            owner.call(
                () -> {
                  List<ByteBuf> all = fullPages(allocator);
                  return exhausted ? all : releaseOneOfEachPage(all);
                });
        owner.awaitQuiet();
        Idle.awaitUpkeep();
        assertSound(allocator);
        long inUse = used(allocator, true);
        live.forEach(ByteBuf::release);
        Idle.awaitUsed(allocator, 0);
        assertThat(inUse).isPositive();
      }
      owner.awaitQuiet();
    }
    assertNothingHeld(allocator);
  }

  /** Each release is a reason for upkeep by itself, however long ago the last one was. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void blocksReleasedOneAtATimeIntoAnIdleOwnerGiveTheirPagesBack(boolean direct) {
    MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();
    try (CountingEventLoop owner = new CountingEventLoop()) {
      List<ByteBuf> live =
          owner.call(
              () -> {
                List<ByteBuf> all = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                  all.add(allocate(allocator, direct, 30_000));
                }
                return all;
              });
      for (ByteBuf buffer : live) {
        owner.awaitQuiet();
        assertSound(allocator);
        buffer.release();
      }
      Idle.awaitUsed(allocator, 0);
      owner.awaitQuiet();
    }
    assertNothingHeld(allocator);
  }

  /** The same without an owner: the pages lie in shared heaps, or in those of ended threads. */
  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#available")
  void blocksReleasedOneAtATimeAfterTheirThreadsEndGiveTheirPagesBack(ThreadKind kind) {
    MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();
    List<ByteBuf> live =
        kind.call(
            () -> {
              List<ByteBuf> all = new ArrayList<>();
              for (int i = 0; i < 10; i++) {
                all.add(allocate(allocator, i % 2 == 0, 30_000));
              }
              return all;
            });
    for (ByteBuf buffer : live) {
      Idle.awaitUpkeep();
      assertSound(allocator);
      buffer.release();
    }
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** Buffers of several sizes that use up all blocks of nearly all their pages. */
  private static List<ByteBuf> fullPages(MiMallocByteBufAllocator allocator) {
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      live.add(allocator.directBuffer(500));
      live.add(allocator.directBuffer(5_000));
      live.add(allocator.directBuffer(50_000));
    }
    return live;
  }

  private static List<ByteBuf> releaseOneOfEachPage(List<ByteBuf> buffers) {
    Map<Page<?>, ByteBuf> oneOfEach = new IdentityHashMap<>();
    buffers.forEach(buffer -> oneOfEach.put(((MiMallocByteBuf) buffer).page(), buffer));
    Collection<ByteBuf> released = oneOfEach.values();
    released.forEach(ByteBuf::release);
    return buffers.stream().filter(buffer -> buffer.refCnt() > 0).toList();
  }
}
