package io.github.mimalloc4j.netty.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.memory.StackRoom;
import io.github.mimalloc4j.netty.buffers.FreedMemory;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.StackEnd;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is held back: one in each heap, the topmost, and each is freed once in the end. */
@Timeout(value = 2, unit = TimeUnit.MINUTES) // who waits for a thread might wait for ever
class ArenaTopsTest {

  private static final int MIB = 1 << 20;

  private final ArenaTops tops = new ArenaTops();
  private final ConcurrentLinkedQueue<Long> freed = new ConcurrentLinkedQueue<>();

  @Test
  void theTopmostOfAHeapIsHeldAndTheOthersAreFreed() {
    hold(7);
    assertThat(freed).isEmpty();
    hold(3);
    assertThat(freed).containsExactly(3L);
    hold(9);
    assertThat(freed).containsExactly(3L, 7L);
    assertThat(tops.release()).isEqualTo(MIB);
    assertThat(freed).containsExactly(3L, 7L, 9L);
    assertThat(tops.release()).isZero();
    assertThat(freed).hasSize(3);
  }

  @Test
  void eachHeapHasOneOfItsOwn() {
    List<Long> heaps = LongStream.range(0, 100).mapToObj(heap -> heap * 64 + 5).toList();
    heaps.forEach(this::hold);
    heaps.forEach(top -> hold(top - 1));
    assertThat(freed).containsExactlyElementsOf(heaps.stream().map(top -> top - 1).toList());
    freed.clear();
    assertThat(tops.release()).isEqualTo(100L * MIB);
    assertThat(freed).containsExactlyInAnyOrderElementsOf(heaps);
  }

  @Test
  void memoryThatCannotBeFreedIsLoggedAndKeepsNothingElse() {
    hold(70);
    holdWhatCannotBeFreed();
    try (AllocatorLog log = new AllocatorLog()) {
      assertThat(tops.release()).isEqualTo(MIB);
      assertThat(log.records()).hasSize(1);
    }
    assertThat(freed).containsExactly(70L);
  }

  /** As at the end of the stack. Otherwise every thread that obtains memory would wait for ever. */
  @Test
  void whoFailsAfterItTookMemoryOutLeavesNobodyWaiting() {
    tops.hold(
        new Chunk(5) {
          @Override
          public int bytes() {
            throw new StackOverflowError("planted");
          }
        });
    try (AllocatorLog log = new AllocatorLog()) {
      tops.releaseAndAwait();
      assertThat(log.records()).hasSize(1);
    }
    assertThat(freed).containsExactly(5L);
  }

  /** Freeing takes more stack than taking out does: what was taken out would be lost. */
  @Test
  void whoeverHasTooLittleStackTakesNothingOut() throws Exception {
    int chunks = 200;
    for (int i = 0; i < chunks; i++) {
      tops.hold(new DeepChunk(i * 64L + 5));
    }
    StackRoom.require(); // loads it where there is stack for that
    try (AllocatorLog log = new AllocatorLog()) {
      Thread deep = new Thread(null, () -> StackEnd.run(tops::release), "deep", 256 * 1024);
      deep.start();
      deep.join();
      tops.release();
      assertThat(log.records()).isEmpty();
    }
    assertThat(freed).hasSize(chunks);
  }

  /** One whose free needs some stack. */
  private final class DeepChunk extends Chunk {
    DeepChunk(long mebibyte) {
      super(mebibyte);
    }

    @Override
    public void freeNow() {
      descend(50);
    }

    private void descend(int frames) {
      if (frames > 0) {
        descend(frames - 1);
      } else {
        super.freeNow();
      }
    }
  }

  /** Before direct memory is obtained, whatever is held must be freed. */
  @Test
  void whoeverIsToldThatMemoryCannotBeFreedMayObtainMemory() {
    holdWhatCannotBeFreed();
    AllocatorLog obtains =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            tops.releaseAndAwait();
            super.publish(entry);
          }
        };
    try (obtains) {
      tops.releaseAndAwait();
    }
    assertThat(obtains.records()).hasSize(1);
  }

  private void holdWhatCannotBeFreed() {
    tops.hold(
        new Chunk(5) {
          @Override
          public void freeNow() {
            throw new IllegalStateException("planted");
          }
        });
  }

  @Test
  void ofManyHeapsNoMoreThanABoundAreHeld() {
    for (int heap = 0; heap < 2 * ArenaTops.MOST_HEAPS; heap++) {
      hold(heap * 64L);
    }
    assertThat(freed).hasSize(ArenaTops.MOST_HEAPS);
    assertThat(tops.release()).isEqualTo((long) ArenaTops.MOST_HEAPS * MIB);
  }

  /** A limit counts what is used; what was given back is not, and must be gone. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoIsAboutToObtainMemoryWaitsForWhatOthersFree(boolean displaced) throws Exception {
    CountDownLatch mayFree = new CountDownLatch(1);
    CountDownLatch inFree = new CountDownLatch(1);
    tops.hold(
        new Chunk(5) {
          @Override
          public void freeNow() {
            inFree.countDown();
            Patience.await().until(() -> mayFree.getCount() == 0);
            super.freeNow();
          }
        });
    Thread other = new Thread(displaced ? () -> hold(6) : tops::release);
    other.start();
    inFree.await();
    Thread obtaining = new Thread(tops::releaseAndAwait);
    obtaining.start();
    obtaining.join(100);
    assertThat(obtaining.isAlive()).isTrue();
    mayFree.countDown();
    obtaining.join();
    assertThat(freed).contains(5L);
    other.join();
  }

  @Test
  void threadsFreeEachOnce() {
    int threads = 4;
    int each = 20_000;
    Together.on(
        ThreadKind.PLAIN,
        IntStream.range(0, threads)
            .<Callable<Void>>mapToObj(
                number ->
                    () -> {
                      SplittableRandom random = new SplittableRandom(number);
                      for (int i = 0; i < each; i++) {
                        hold((long) number * each + i);
                        if (random.nextInt(10) == 0) {
                          tops.release();
                        }
                      }
                      return null;
                    })
            .toList());
    tops.release();
    List<Long> all = new ArrayList<>(freed);
    Collections.sort(all);
    assertThat(all)
        .containsExactlyElementsOf(LongStream.range(0, (long) threads * each).boxed().toList());
  }

  private void hold(long addressMib) {
    tops.hold(new Chunk(addressMib));
  }

  /** Memory of a MiB. */
  private class Chunk implements FreedMemory {

    private final long addressMib;

    Chunk(long addressMib) {
      this.addressMib = addressMib;
    }

    @Override
    public int bytes() {
      return MIB;
    }

    @Override
    public long address() {
      return addressMib * MIB;
    }

    @Override
    public void freeNow() {
      freed.add(addressMib);
    }
  }
}
