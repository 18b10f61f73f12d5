package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An event loop gets to its other tasks while a heap of thousands of pages is trimmed. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class LargeTrimTest {

  private static final int PAGES = 3000;

  /** Four to a page, however many pages there are. */
  private static final int SIZE = 20_000;

  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();

  /** What other tasks have seen of the heap while it was trimmed. */
  private final Set<Long> pagedBytesSeen = ConcurrentHashMap.newKeySet();

  private volatile boolean watching = true;

  @Test
  void otherTasksOfTheLoopComeInBetween() {
    try (CountingEventLoop loop = new CountingEventLoop()) {
      List<ByteBuf> live = loop.call(this::allocatePages);
      loop.execute(() -> watch(loop));
      live.forEach(ByteBuf::release); // so that the owner has to collect each
      Idle.awaitUsed(allocator, 0);
      watching = false;
      loop.awaitQuiet();
      assertThat(pagedBytesSeen)
          .as("sizes of the heap on its way to nothing")
          .hasSizeGreaterThan(20);
    }
    assertNothingHeld(allocator);
  }

  private List<ByteBuf> allocatePages() {
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 4 * PAGES; i++) {
      live.add(allocator.directBuffer(SIZE));
    }
    return live;
  }

  /** In each iteration of the loop. */
  private void watch(CountingEventLoop loop) {
    pagedBytesSeen.add(Insides.directHeaps(allocator).blockAllocator().pagedBytes());
    if (watching) {
      loop.execute(() -> watch(loop));
    }
  }
}
