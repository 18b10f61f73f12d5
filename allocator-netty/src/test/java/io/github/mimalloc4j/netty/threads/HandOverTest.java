package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Spin;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread allocates, another one releases. Each test is named for what must hold where an
 * earlier Java port of mimalloc went wrong.
 */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class HandOverTest {

  private static final int MIB = 1 << 20;
  private static final int FIRST_SEGMENT_BYTES = 512 << 10;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  /**
   * There, flag and list changed in two steps, and a page could be full, with a block released by
   * another thread, and nobody told. Such a page shows as an unsound one at rest, and in the memory
   * that is used instead of it.
   */
  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void anExhaustedPageWithAForeignReleaseIsAlwaysReported(ThreadKind owner) {
    int rounds = 40;
    int operations = 20_000;
    AtomicReference<ByteBuf[]> handed = new AtomicReference<>();
    ThreadKind.Running<Void> other =
        ThreadKind.PLAIN.start(
            () -> {
              releaseAll(handed);
              return null;
            });
    owner.call(
        () -> {
          SplittableRandom random = new SplittableRandom(1);
          for (int round = 0; round < rounds; round++) {
            allocateAndReleaseOrHandOver(random, operations, handed);
            assertSound(allocator); // the other thread has nothing to do
            assertThat(allocator.metric().usedDirectMemory()).isLessThan(8 * MIB);
          }
          return null;
        });
    handed.set(END);
    other.end();
    assertNothingHeld(allocator);
  }

  private static final ByteBuf[] END = {};

  private static void releaseAll(AtomicReference<ByteBuf[]> handed) {
    while (true) {
      ByteBuf[] buffers = await(handed, true);
      if (buffers == END) {
        return;
      }
      for (ByteBuf buffer : buffers) {
        buffer.release();
      }
      handed.set(null);
    }
  }

  /** Blocks of which four fill a page: pages become exhausted at every other operation. */
  private void allocateAndReleaseOrHandOver(
      SplittableRandom random, int operations, AtomicReference<ByteBuf[]> handed) {
    ArrayDeque<ByteBuf> live = new ArrayDeque<>();
    for (int i = 0; i < operations; i++) {
      if (live.size() < 5 || live.size() < 12 && random.nextBoolean()) {
        live.add(allocator.directBuffer(random.nextBoolean() ? 100_000 : 120_000));
      } else if (random.nextInt(3) == 0) {
        live.removeLast().release(); // while the other thread pushes to the same page
      } else if (handed.get() == null) {
        handed.set(new ByteBuf[] {live.removeFirst(), live.removeFirst(), live.removeFirst()});
      }
    }
    await(handed, false);
    handed.set(live.toArray(new ByteBuf[0]));
    await(handed, false);
  }

  /** Waits until something is handed over, or until it has been taken. */
  private static <T> T await(AtomicReference<T> handed, boolean something) {
    Spin.until(() -> (handed.get() != null) == something);
    return handed.get();
  }

  /** There, one live buffer of 2 MiB at a time used 200 MiB. */
  @ParameterizedTest
  @CsvSource({"2, EVENT_EXECUTOR", "1, PLAIN"})
  void oneLiveLargeBufferReleasedElsewhereUsesNoMoreThanItself(int mib, ThreadKind owner) {
    int rounds = 100_000;
    AtomicReference<ByteBuf> handed = new AtomicReference<>();
    ThreadKind.Running<Void> other =
        ThreadKind.EVENT_EXECUTOR.start(
            () -> {
              for (int i = 0; i < rounds; i++) {
                await(handed, true).release();
                handed.set(null);
              }
              return null;
            });
    long peak =
        owner.call(
            () -> {
              long most = 0;
              for (int i = 0; i < rounds; i++) {
                ByteBuf buffer = allocator.directBuffer(mib * MIB);
                buffer.setLong(0, i);
                buffer.setLong(mib * MIB - 8, i);
                most = Math.max(most, allocator.metric().usedDirectMemory());
                handed.set(buffer);
                await(handed, false);
              }
              return most;
            });
    other.end();
    assertThat(peak).isLessThanOrEqualTo(4 * MIB + FIRST_SEGMENT_BYTES);
    assertNothingHeld(allocator);
  }

  /** There, an owner with nothing live held 20 MiB. Here it comes back without any call. */
  @ParameterizedTest
  @CsvSource({"1000, 20000", "16000, 1250", "120000, 166"})
  void anIdleOwnerWithNothingLiveGivesItsMemoryBack(int bytes, int count) {
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1)) {
      List<ByteBuf> live =
          loops.call(
              () -> {
                List<ByteBuf> all = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                  all.add(allocator.directBuffer(bytes));
                }
                return all;
              });
      live.forEach(ByteBuf::release);
      Idle.awaitUsed(allocator, FIRST_SEGMENT_BYTES);
    }
    assertNothingHeld(allocator);
  }

  /** A thread that only ever releases keeps nothing, whatever the number of owners. */
  @Test
  void aThreadThatOnlyReleasesHoldsNothing() {
    try (ThreadKind.Group owners = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 4)) {
      for (int round = 0; round < 500; round++) {
        List<ByteBuf> live =
            owners.call(
                () -> {
                  List<ByteBuf> all = new ArrayList<>();
                  for (int i = 0; i < 100; i++) {
                    all.add(allocator.directBuffer(1 + i * 100));
                  }
                  return all;
                });
        live.forEach(ByteBuf::release);
        // 100 buffers of 5 KiB on average, in pages that four owners keep
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(20 * MIB);
      }
    }
    assertNothingHeld(allocator);
  }
}
