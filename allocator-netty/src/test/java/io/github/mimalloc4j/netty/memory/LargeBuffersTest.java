package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.blockBytes;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers above the largest size class and above the largest segment, and growth up to there. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class LargeBuffersTest {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorWithoutUpkeep();

  /** Not a segment each. */
  @ParameterizedTest
  @CsvSource({"127, true", "129, true", "130, false", "129, false", "600, true"})
  void sizesAboveTheLargestClassReuseMemoryAndObjects(int kib, boolean direct) {
    Set<ByteBuf> objects = Collections.newSetFromMap(new IdentityHashMap<>());
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      live.add(allocate(allocator, direct, kib * KIB));
    }
    objects.addAll(live);
    long usedAtFirst = used(allocator, direct);
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      int index = random.nextInt(live.size());
      live.get(index).release();
      live.set(index, allocate(allocator, direct, kib * KIB));
      objects.add(live.get(index));
      assertThat(used(allocator, direct)).as("round " + round).isEqualTo(usedAtFirst);
    }
    assertThat(objects).hasSizeLessThanOrEqualTo(40);
    live.forEach(ByteBuf::release);
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @ValueSource(ints = {129 * KIB, 513 * KIB, 1_433_600, 1_468_006, 2_097_153, 5_000_001, 8 * MIB})
  void largeSizesWasteAtMostAnEighth(int bytes) {
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      live.add(allocator.directBuffer(bytes));
      assertThat(blockBytes(live.get(i))).isBetween(bytes, bytes / 8 * 9);
    }
    long asked = 24L * bytes;
    assertThat(allocator.metric().pinnedDirectMemory()).isBetween(asked, asked / 8 * 9);
    // Beyond the blocks: the end of the last segment, which is a sixteenth of the others at most.
    assertThat(used(allocator, true)).isLessThanOrEqualTo(asked / 4 * 5);
    live.forEach(ByteBuf::release);
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void growthKeepsTheReferenceCountAndRespectsMaxCapacity(boolean direct) {
    int max = 9 * MIB;
    ByteBuf buffer = direct ? allocator.directBuffer(8, max) : allocator.heapBuffer(8, max);
    buffer.retain(2);
    for (int capacity = 8; capacity <= max; capacity = Math.max(capacity + 1, capacity * 7 / 4)) {
      Stamp.write(buffer, capacity);
      int grown = Math.min(max, capacity * 7 / 4 + 1);
      ByteBuf same = buffer;
      ThreadKind mover = capacity % 2 == 0 ? ThreadKind.PLAIN : ThreadKind.EVENT_EXECUTOR;
      mover.call(() -> same.capacity(grown)); // also by threads that do not own the page
      assertThat(buffer.capacity()).isEqualTo(grown);
      assertThat(buffer.refCnt()).isEqualTo(3);
      Stamp.check(buffer, capacity, 0, capacity);
      assertThatThrownBy(() -> same.capacity(max + 1)).isInstanceOf(IllegalArgumentException.class);
      assertThat(buffer.maxCapacity()).isEqualTo(max);
    }
    buffer.capacity(max).writerIndex(max - 1);
    assertThatThrownBy(() -> buffer.writeShort(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.release()).isTrue();
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @EnumSource(names = {"NIO_EVENT_LOOP", "EVENT_EXECUTOR", "PLAIN"})
  void buffersAboveTheSegmentSizeOutliveTheirThread(ThreadKind kind) {
    MiMallocByteBufAllocator small =
        MiMallocByteBufAllocator.builder().minSegmentBytes(16384).maxSegmentBytes(65536).build();
    for (MiMallocByteBufAllocator allocator : List.of(this.allocator, small)) {
      for (boolean direct : new boolean[] {true, false}) {
        List<ByteBuf> live =
            kind.call(
                () ->
                    List.of(
                        allocate(allocator, direct, 8 * MIB + 1),
                        allocate(allocator, direct, 100),
                        allocate(allocator, direct, 70_000)));
        assertSound(allocator);
        live.forEach(buffer -> Stamp.write(buffer, buffer.capacity()));
        live.forEach(buffer -> Stamp.check(buffer, buffer.capacity()));
        for (ByteBuf buffer : live) {
          assertThat(buffer.release()).isTrue();
          assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
        }
      }
      assertNothingHeld(allocator);
    }
  }
}
