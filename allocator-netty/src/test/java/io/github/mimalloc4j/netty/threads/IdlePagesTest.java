package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two event loops, of which one releases what the other has allocated. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class IdlePagesTest {

  /** Four to a page. */
  private static final int SIZE = 64 << 10;

  private static final int BUFFERS = 32;

  /** One that is never trimmed: no upkeep gives a page back. */
  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();

  private final ThreadKind.Group first = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1);
  private final ThreadKind.Group second = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1);

  @AfterEach
  void end() {
    first.close();
    second.close();
    assertNothingHeld(allocator);
  }

  @Test
  void oneLoopUsesThePagesThatItReleasedOfTheOther() {
    List<ByteBuf> buffers = first.call(this::allocate);
    long before = used(allocator, true);
    for (int i = 0; i < 10; i++) {
      List<ByteBuf> released = buffers;
      buffers =
          (i % 2 == 0 ? second : first)
              .call(
                  () -> {
                    released.forEach(ByteBuf::release);
                    return allocate();
                  });
    }
    assertThat(used(allocator, true)).isEqualTo(before);
    buffers.forEach(ByteBuf::release);
  }

  /** The object of a slot is another one then. */
  @Test
  void aPageOfWhichABufferMovedAwayServesTheOtherLoop() {
    List<ByteBuf> buffers = first.call(this::allocate);
    List<ByteBuf> others =
        second.call(
            () -> {
              for (int i = 0; i < BUFFERS; i += 4) {
                buffers.get(i).capacity(2 * SIZE); // another block, of this loop
              }
              buffers.forEach(ByteBuf::release);
              long before = used(allocator, true);
              List<ByteBuf> list = allocate();
              assertThat(used(allocator, true)).isEqualTo(before);
              return list;
            });
    others.forEach(ByteBuf::release);
  }

  @Test
  void aBlockIsDeferredInItsOwnPlaceFromItsReleaseByAnotherThreadOn() {
    ByteBuf buffer = first.call(() -> allocator.directBuffer(SIZE, SIZE));
    ByteBuf other = first.call(() -> allocator.directBuffer(2 * SIZE, 2 * SIZE));
    MiMallocByteBuf block = (MiMallocByteBuf) buffer;
    Page<MiMallocByteBuf> page = block.page();
    assertThat(block.isDeferred(page, 0)).as("in use").isFalse();
    buffer.release();
    assertThat(block.isDeferred(page, 0)).isTrue();
    assertThat(block.isDeferred(page, 1)).as("another slot").isFalse();
    assertThat(block.isDeferred(((MiMallocByteBuf) other).page(), 0)).as("elsewhere").isFalse();
    other.release();
  }

  private List<ByteBuf> allocate() {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      buffers.add(allocator.directBuffer(SIZE, 2 * SIZE).writeZero(SIZE));
    }
    return buffers;
  }
}
