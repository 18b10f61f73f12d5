package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Spin;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that release what they do not hold: detected, and the free lists stay sound. */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
public class DoubleReleaseTest {

  /** Of releases at the same time; fewer where the machine has no time for them. */
  private static final int MOST_ROUNDS = 12_500;

  private static final int FEWEST_ROUNDS = 500;

  /** Leaves time for the rest within the limit. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  @ParameterizedTest
  @CsvSource({"100, true", "100, false", "300000, true", "300000, false", "9000000, true"})
  void aSecondReleaseInSequenceThrows(int bytes, boolean direct) {
    try (ThreadKind.Group group = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 2)) {
      for (int round = 0; round < 10; round++) {
        boolean ownerReleases = round % 2 == 0; // the group takes turns: the next call is another's
        ByteBuf buffer =
            group.call(
                () -> {
                  ByteBuf allocated = allocate(allocator, direct, bytes);
                  return ownerReleases ? released(allocated) : allocated;
                });
        if (!ownerReleases) {
          group.call(() -> released(buffer));
        }
        for (int again = 0; again < 2; again++) { // once on each thread
          group.call(
              () -> {
                assertThatThrownBy(buffer::release)
                    .isInstanceOf(IllegalReferenceCountException.class);
                assertThatThrownBy(() -> buffer.release(2))
                    .isInstanceOf(IllegalReferenceCountException.class);
                assertThatThrownBy(buffer::retain)
                    .isInstanceOf(IllegalReferenceCountException.class);
                return null;
              });
        }
        assertThat(buffer.refCnt()).isZero();
        assertSound(allocator);
      }
    }
    assertNothingHeld(allocator);
  }

  private static ByteBuf released(ByteBuf buffer) {
    assertThat(buffer.release()).isTrue();
    return buffer;
  }

  /** What the block of the release that came too late is when its slot is deferred. */
  enum LateFor {
    FREE,
    IN_USE_AGAIN,
    DEFERRED_BY_ITS_NEXT_USER
  }

  /**
   * The race of the test below, step by step: the owner has released a block, and the other thread,
   * which saw the count as 1 as well, defers its slot. Before and behind it in the deferred list
   * are blocks that were released as they should be.
   */
  @ParameterizedTest
  @EnumSource
  void aReleaseThatCameTooLateIsDroppedAndToldAndNoOtherBlockIsLost(LateFor late) {
    allocator = Idle.newAllocatorWithoutUpkeep(); // a trim would change which block is next
    try (AllocatorLog log = new AllocatorLog();
        ThreadKind.Group group = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1)) {
      ByteBuf[] b = new ByteBuf[5];
      group.call(
          () -> {
            Arrays.setAll(b, this::newStamped);
            return null;
          });
      ThreadKind.PLAIN.call(b[1]::release);
      ThreadKind.PLAIN.call(b[2]::release);
      group.call(b[3]::release);
      if (late != LateFor.FREE) {
        assertThat(group.call(() -> newStamped(3))).isSameAs(b[3]);
      }
      deferAgain((MiMallocByteBuf) b[3]);
      if (late == LateFor.DEFERRED_BY_ITS_NEXT_USER) {
        ThreadKind.PLAIN.call(b[3]::release); // its slot is twice in the list, which is a circle
      }
      ThreadKind.PLAIN.call(b[4]::release);
      List<ByteBuf> held = new ArrayList<>(List.of(b[0]));
      if (late == LateFor.IN_USE_AGAIN) {
        held.add(b[3]);
      }
      List<ByteBuf> all = group.call(() -> assertNoneTwice(held));
      awaitDoubleReleases(log, 1);
      Set<ByteBuf> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
      distinct.addAll(all);
      assertThat(List.of(b)).as("no block is lost").allMatch(distinct::contains);
    }
    assertNothingHeld(allocator);
  }

  /**
   * The holder looks for the blocks of a chain that was cut by their state, and may still find a
   * buffer in the slot that it has left since: it grew on another thread, to a page where its
   * release is deferred by now.
   */
  @Test
  void aBufferThatHasMovedAwayIsNotTakenForTheBlockOfItsOldSlot() {
    try (AllocatorLog log = new AllocatorLog();
        ThreadKind.Group group = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 1)) {
      MiMallocByteBuf[] b = new MiMallocByteBuf[4];
      group.call(
          () -> {
            Arrays.setAll(b, i -> (MiMallocByteBuf) newStamped(i));
            Page<MiMallocByteBuf> old = b[1].page();
            int slot = slot(b[1]);
            b[1].capacity(50_000);
            assertThat(b[1].page()).isNotSameAs(old);
            ByteBuf next = newStamped(1); // in the old place
            old.rebind(slot, b[1]); // what the holder would still read
            b[2].release();
            deferAgain(b[2]);
            ThreadKind.PLAIN.call(b[1]::release);
            List<ByteBuf> more = new ArrayList<>();
            while (allocator.metric().direct().counts().doubleReleases() == 0) {
              more.add(allocator.directBuffer(900)); // until the page is collected
            }
            old.rebind(slot, (MiMallocByteBuf) next);
            assertThat(more).as("of the page").noneMatch(each -> each == b[1]);
            more.forEach(ByteBuf::release);
            assertThat(assertNoneTwice(new ArrayList<>(List.of(b[0], next, b[3])))).isNotEmpty();
            return null;
          });
    }
    assertNothingHeld(allocator);
    assertThat(allocator.metric().direct().counts().doubleReleases()).isOne();
  }

  /**
   * The log is written to when the heap is left: an appender that allocates would else wait for the
   * lock of the shared heap that its own thread has, or find a queue half changed.
   */
  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void anAppenderMayAllocateAndThrow(ThreadKind kind) throws InterruptedException {
    allocator =
        MiMallocByteBufAllocator.builder().maxSharedThreadHeaps(1).trimDelayMillis(0).build();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (AllocatorLog log =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            List<ByteBuf> buffers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
              buffers.add(newStamped(i));
            }
            buffers.forEach(ByteBuf::release);
            super.publish(entry);
            throw new AssertionError("planted");
          }
        }) {
      Thread thread =
          kind.launch(
              () -> {
                try {
                  ByteBuf[] b = new ByteBuf[4];
                  Arrays.setAll(b, this::newStamped);
                  b[2].release();
                  ByteBuf again = newStamped(2); // of a shared heap the first was deferred
                  again.release();
                  deferAgain((MiMallocByteBuf) again);
                  assertNoneTwice(new ArrayList<>(List.of(b[0], b[1], b[3])));
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      thread.join(TimeUnit.SECONDS.toMillis(30));
      assertThat(thread.isAlive()).as("waits for itself").isFalse();
      assertThat(failures).isEmpty();
      awaitDoubleReleases(log, 1);
    }
    assertNothingHeld(allocator);
  }

  private static void awaitDoubleReleases(AllocatorLog log, int expected) {
    await().untilAsserted(() -> assertThat(doubleReleases(log)).isEqualTo(expected));
  }

  private static int slot(MiMallocByteBuf buffer) {
    try {
      Field slot = CountedBlock.class.getDeclaredField("slot");
      slot.setAccessible(true);
      return slot.getInt(buffer);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** What is left to do for a thread that saw the only reference, and was not the only one. */
  public static void deferAgain(MiMallocByteBuf buffer) {
    Heap.releaseDeferred(buffer.page(), slot(buffer));
  }

  /**
   * Owner and another thread release the same references at once, again and again. Either one of
   * them hears of it, or, once the block is collected, the log does. If releases are checked,
   * always one of them.
   */
  @ParameterizedTest
  @CsvSource({"EVENT_EXECUTOR, false", "PLAIN, false", "EVENT_EXECUTOR, true", "PLAIN, true"})
  void ofTwoReleasesAtTheSameTimeTheListsStaySound(ThreadKind owner, boolean checked) {
    allocator = MiMallocByteBufAllocator.builder().checkedRelease(checked).build();
    AtomicInteger rounds = new AtomicInteger(MOST_ROUNDS);
    ByteBuf[] buffers = new ByteBuf[8];
    AtomicInteger ready = new AtomicInteger();
    AtomicInteger otherDone = new AtomicInteger();
    AtomicInteger thrown = new AtomicInteger();
    AtomicInteger succeeded = new AtomicInteger();
    try (AllocatorLog log = new AllocatorLog()) {
      ThreadKind.Running<Void> other =
          ThreadKind.PLAIN.start(
              () -> {
                for (int i = 0; i < MOST_ROUNDS; i++) {
                  int round = i;
                  Spin.until(() -> ready.get() > round || rounds.get() == round);
                  if (rounds.get() == round) {
                    break;
                  }
                  releaseAndCount(buffers, succeeded, thrown);
                  otherDone.set(i + 1);
                }
                return null;
              });
      owner.call(
          () -> {
            ByteBuf[] held = new ByteBuf[7]; // other blocks of the pages, so that some stay
            for (int i = 0; i < held.length; i++) {
              held[i] = newStamped(i);
            }
            long start = System.nanoTime();
            for (int i = 0; i < MOST_ROUNDS; i++) {
              if (i >= FEWEST_ROUNDS && System.nanoTime() - start > MOST_NANOS) {
                rounds.set(i);
                break;
              }
              int round = i;
              Arrays.setAll(buffers, any -> allocator.directBuffer(900));
              ready.set(i + 1);
              releaseAndCount(buffers, succeeded, thrown);
              // A later release could hit the block's next use.
              Spin.until(() -> otherDone.get() > round);
              int index = i % held.length;
              Stamp.check(held[index], index);
              held[index].release();
              held[index] = newStamped(index);
            }
            assertNoneTwice(new ArrayList<>(List.of(held)));
            return null;
          });
      other.end();
      int pairs = rounds.get() * buffers.length;
      assertThat(succeeded.get() + thrown.get()).isEqualTo(2 * pairs);
      assertThat(succeeded.get()).isGreaterThanOrEqualTo(pairs);
      // Where both succeeded, collecting the block tells it. Another notice than that is false.
      boolean told = succeeded.get() > pairs;
      long counted = allocator.metric().direct().counts().doubleReleases();
      assertThat(counted > 0)
          .as("%s of %s pairs succeeded twice", succeeded.get() - pairs, pairs)
          .isEqualTo(told);
      if (told) {
        await().until(() -> doubleReleases(log) > 0);
      } else {
        assertThat(doubleReleases(log)).isZero();
      }
      if (checked) {
        assertThat(succeeded.get()).isEqualTo(pairs);
      }
    }
    assertNothingHeld(allocator);
  }

  private static void releaseAndCount(
      ByteBuf[] buffers, AtomicInteger succeeded, AtomicInteger thrown) {
    for (ByteBuf buffer : buffers) {
      try {
        buffer.release();
        succeeded.incrementAndGet();
      } catch (IllegalReferenceCountException e) {
        thrown.incrementAndGet();
      }
    }
  }

  private ByteBuf newStamped(int id) {
    ByteBuf buffer = allocator.directBuffer(900);
    Stamp.write(buffer, id);
    return buffer;
  }

  /** Allocates many more and releases all: a slot that is free twice would be handed out twice. */
  private List<ByteBuf> assertNoneTwice(List<ByteBuf> live) {
    LiveRanges ranges = new LiveRanges();
    while (live.size() < 500) {
      live.add(allocator.directBuffer(900));
    }
    live.forEach(ranges::add);
    for (int i = 0; i < live.size(); i++) {
      Stamp.write(live.get(i), i);
    }
    for (int i = 0; i < live.size(); i++) {
      Stamp.check(live.get(i), i);
      live.get(i).release();
    }
    return live;
  }

  private static long doubleReleases(AllocatorLog log) {
    return log.records().stream()
        .filter(entry -> entry.getLevel() == Level.SEVERE)
        .filter(entry -> entry.getMessage().contains("released the same reference"))
        .count();
  }
}
