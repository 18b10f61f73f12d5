package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingLive;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.misuse.LiveRanges;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Seed;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations of one thread against a model: an array for each live buffer. */
@ExtendWith(LeakDetectionOff.class)
class StampedModelTest {

  private static final int OPERATIONS = 120_000;
  private static final int MOST_LIVE = 500;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
  private final List<Modelled> live = new ArrayList<>();
  private final LiveRanges ranges = new LiveRanges();
  private SplittableRandom random;
  private long lastId;

  /** A live buffer, and what it must hold. */
  private static final class Modelled {
    final ByteBuf buffer;
    byte[] expected;
    int references = 1;

    Modelled(ByteBuf buffer) {
      this.buffer = buffer;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void buffersHoldWhatAModelHolds(ThreadKind kind) {
    Seed.with(
        seed -> {
          random = new SplittableRandom(seed);
          kind.call(
              () -> {
                for (int i = 0; i < OPERATIONS; i++) {
                  operate();
                  if (i % 500 == 0) {
                    assertSound(allocator);
                  }
                }
                while (!live.isEmpty()) {
                  release(live.size() - 1);
                }
                assertNothingLive(allocator);
                return null;
              });
          assertNothingHeld(allocator);
        });
  }

  private void operate() {
    // The number of live buffers swings, so that pages become empty and are given back.
    boolean shrinking = random.nextInt(2000) == 0;
    if (shrinking) {
      while (live.size() > 20) {
        release(random.nextInt(live.size()));
      }
    }
    int operation = random.nextInt(20);
    if (live.isEmpty() || operation < 7 && live.size() < MOST_LIVE) {
      allocateOne();
      return;
    }
    int index = random.nextInt(live.size());
    Modelled chosen = live.get(index);
    if (operation < 13) {
      release(index);
    } else if (operation == 13) {
      chosen.buffer.retain();
      chosen.references++;
    } else if (operation == 14) {
      changeCapacity(chosen);
    } else if (operation < 18) {
      writeSome(chosen);
    } else {
      readThroughDerived(chosen);
    }
  }

  private void allocateOne() {
    Modelled added = new Modelled(allocate(allocator, random.nextBoolean(), randomSize()));
    ranges.add(added.buffer);
    assertThat(added.buffer.refCnt()).isEqualTo(1);
    assertThat(added.buffer.readerIndex()).isZero();
    assertThat(added.buffer.writerIndex()).isZero();
    stamp(added);
    live.add(added);
  }

  private int randomSize() {
    int kind = random.nextInt(1000);
    int bound = kind < 700 ? 600 : kind < 970 ? 5_000 : kind < 999 ? 140_000 : 1_500_000;
    return 1 + random.nextInt(bound);
  }

  private void stamp(Modelled modelled) {
    long id = ++lastId;
    Stamp.write(modelled.buffer, id);
    modelled.expected = new byte[modelled.buffer.capacity()];
    Stamp.write(Unpooled.wrappedBuffer(modelled.expected), id);
  }

  private void release(int index) {
    Modelled chosen = live.get(index);
    assertThat(chosen.buffer.refCnt()).isEqualTo(chosen.references);
    if (--chosen.references > 0) {
      assertThat(chosen.buffer.release()).isFalse();
      return;
    }
    check(chosen);
    ranges.remove(chosen.buffer);
    assertThat(chosen.buffer.release()).isTrue();
    live.set(index, live.get(live.size() - 1));
    live.remove(live.size() - 1);
  }

  private void changeCapacity(Modelled chosen) {
    int before = chosen.buffer.capacity();
    int after = random.nextBoolean() ? random.nextInt(before + 1) : before + randomSize() / 2;
    ranges.remove(chosen.buffer);
    chosen.buffer.capacity(after);
    ranges.add(chosen.buffer);
    chosen.expected = Arrays.copyOf(chosen.expected, Math.min(before, after));
    checkFirst(chosen, chosen.expected.length);
    stamp(chosen); // what the new bytes hold is not defined
  }

  private void writeSome(Modelled chosen) {
    int capacity = chosen.buffer.capacity();
    int from = random.nextInt(capacity + 1);
    byte[] bytes = new byte[random.nextInt(Math.min(64, capacity - from) + 1)];
    Arrays.fill(bytes, (byte) random.nextInt());
    chosen.buffer.setBytes(from, bytes);
    System.arraycopy(bytes, 0, chosen.expected, from, bytes.length);
  }

  private void readThroughDerived(Modelled chosen) {
    int capacity = chosen.buffer.capacity();
    int from = random.nextInt(capacity + 1);
    int length = random.nextInt(capacity - from + 1);
    ByteBuf slice =
        random.nextBoolean()
            ? chosen.buffer.retainedSlice(from, length)
            : chosen.buffer.retainedDuplicate().setIndex(0, capacity).slice(from, length);
    byte[] bytes = new byte[length];
    slice.getBytes(0, bytes);
    assertThat(Arrays.equals(bytes, 0, length, chosen.expected, from, from + length)).isTrue();
    assertThat(slice.release()).isFalse();
    ByteBuf copy = chosen.buffer.copy(from, length);
    assertThat(copy).isEqualTo(Unpooled.wrappedBuffer(chosen.expected, from, length));
    copy.release();
  }

  private void check(Modelled modelled) {
    assertThat(modelled.buffer.capacity()).isEqualTo(modelled.expected.length);
    checkFirst(modelled, modelled.expected.length);
  }

  private void checkFirst(Modelled modelled, int length) {
    byte[] found = new byte[length];
    modelled.buffer.getBytes(0, found);
    int mismatch = Arrays.mismatch(found, 0, length, modelled.expected, 0, length);
    if (mismatch >= 0) {
      throw new AssertionError("byte " + mismatch + " differs: " + modelled.buffer);
    }
  }
}
