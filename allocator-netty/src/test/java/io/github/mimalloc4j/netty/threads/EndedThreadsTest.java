package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.duringNoUpkeep;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.misuse.LiveRanges;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What threads leave behind when they end: live buffers, their pages and their heaps. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class EndedThreadsTest {

  private static final int KIB = 1 << 10;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  @ParameterizedTest
  @EnumSource(names = {"NIO_EVENT_LOOP", "EVENT_EXECUTOR", "PLAIN"})
  void liveBuffersNeverOverlapAfterThreadsEnded(ThreadKind kind) {
    Random random = new Random(1);
    LiveRanges ranges = new LiveRanges();
    List<ByteBuf> live = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    for (int round = 0; round < 60; round++) {
      long seed = random.nextLong();
      List<ByteBuf> more = kind.call(() -> allocateAndReleaseHalf(new Random(seed)));
      for (ByteBuf buffer : more) {
        ranges.add(buffer);
        long id = seed + ids.size();
        Stamp.write(buffer, id);
        live.add(buffer);
        ids.add(id);
      }
      while (live.size() > 400) {
        int index = random.nextInt(live.size());
        Stamp.check(live.get(index), ids.get(index));
        ranges.remove(live.get(index));
        live.get(index).release();
        Collections.swap(live, index, live.size() - 1);
        Collections.swap(ids, index, ids.size() - 1);
        live.remove(live.size() - 1);
        ids.remove(ids.size() - 1);
      }
      assertSound(allocator);
    }
    for (int index = 0; index < live.size(); index++) {
      Stamp.check(live.get(index), ids.get(index));
      live.get(index).release();
    }
    assertNothingHeld(allocator);
  }

  private List<ByteBuf> allocateAndReleaseHalf(Random random) {
    List<ByteBuf> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int bytes = random.nextInt(20) == 0 ? random.nextInt(300 * KIB) : random.nextInt(3 * KIB);
      all.add(allocate(allocator, random.nextBoolean(), 1 + bytes));
    }
    Collections.shuffle(all, random);
    List<ByteBuf> released = all.subList(200, 400);
    released.forEach(ByteBuf::release);
    return new ArrayList<>(all.subList(0, 200));
  }

  @Test
  void anAbandonedHeapIsAdoptedByOneThreadOnly() {
    MiMallocByteBufAllocator withoutUpkeep = Idle.newAllocatorWithoutUpkeep();
    int threads = 8;
    List<ByteBuf> live = new ArrayList<>();
    Set<Heap<?>> everSeen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int round = 0; round < 60; round++) {
      CyclicBarrier allThere = new CyclicBarrier(threads);
      List<ThreadKind.Running<ByteBuf>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            ThreadKind.EVENT_EXECUTOR.start(
                () -> {
                  allThere.await(); // adopt together
                  ByteBuf buffer = withoutUpkeep.directBuffer(100);
                  allThere.await(); // nobody ends before all have a heap
                  return buffer;
                }));
      }
      Set<Heap<?>> heaps = Collections.newSetFromMap(new IdentityHashMap<>());
      for (ThreadKind.Running<ByteBuf> each : running) {
        ByteBuf buffer = each.end();
        live.add(buffer); // so that the heap is abandoned with something live
        heaps.add(((MiMallocByteBuf) buffer).page().heap());
      }
      assertThat(heaps).as("heaps of threads that lived together").hasSize(threads);
      everSeen.addAll(heaps);
    }
    assertThat(everSeen).as("all heaps: each is adopted again").hasSize(threads);
    live.forEach(ByteBuf::release);
    assertNothingHeld(withoutUpkeep);
  }

  @ParameterizedTest
  @EnumSource(names = {"NIO_EVENT_LOOP", "PLAIN"})
  void threadsThatLivedTogetherHoldNoMemoryAfterTheirBuffersWereReleased(ThreadKind kind)
      throws Exception {
    int threads = 200;
    CyclicBarrier allThere = new CyclicBarrier(threads);
    List<ThreadKind.Running<List<ByteBuf>>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(
          kind.start(
              () -> {
                List<ByteBuf> live = new ArrayList<>();
                for (int n = 0; n < 100; n++) {
                  live.add(allocator.directBuffer(1000));
                }
                allThere.await();
                return live;
              }));
    }
    for (ThreadKind.Running<List<ByteBuf>> each : running) {
      each.end().forEach(ByteBuf::release);
    }
    if (kind.ownsHeap()) { // who releases the last block of a page of an ended thread gives it back
      duringNoUpkeep( // which may have had a page in hand then
          () -> assertThat(Insides.directHeaps(allocator).blockAllocator().pagedBytes()).isZero());
    }
    assertNothingHeld(allocator);
  }
}
