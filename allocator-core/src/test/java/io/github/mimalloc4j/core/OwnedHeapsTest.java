package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.TestBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Heaps whose owners have ended without abandoning them. */
class OwnedHeapsTest {

  private static final int OWNERS = 5;

  private final TestAllocator test = new TestAllocator();

  @Test
  void theNextOwnerAdoptsOneAndHasTheOthersRemoved() throws Exception {
    letOwnersEnd();
    Heap<TestBlock> heap = test.acquire();
    assertThat(test.owned()).hasSize(OWNERS).contains(heap);
    test.upkeep.runOnce();
    assertThat(test.owned()).containsExactly(heap);
  }

  /** As while another thread trims it. */
  @Test
  void anEmptyOneThatIsLockedWhenItIsToBeRemovedIsRemovedAfterATrim() throws Exception {
    Heap<TestBlock> heap = TestAllocator.onThread(test::acquire);
    test.allocator.abandonEnded();
    assertThat(heap.tryLock()).isTrue();
    test.upkeep.runAll();
    heap.unlock();
    assertThat(test.owned()).containsExactly(heap);
    test.allocator.trim();
    test.upkeep.runAll();
    assertThat(test.owned()).isEmpty();
    test.allocator.trim();
    assertThat(test.upkeep.size()).as("nothing is left to be done").isZero();
  }

  /** Such a thread may be an event loop. Upkeep waits, and abandons the heap. */
  @Test
  void anAllocationWithoutMemoryDoesNotWaitForOneThatIsLocked() throws Exception {
    Heap<TestBlock> heap = TestAllocator.onThread(test::acquire);
    test.source.limit = 0;
    assertThat(heap.tryLock()).isTrue();
    assertThatThrownBy(() -> test.allocator.allocateShared(100))
        .isInstanceOf(OutOfMemoryError.class);
    heap.unlock();
    assertThat(test.owned()).containsExactly(heap);
    test.upkeep.runAll();
    assertThat(test.owned()).isEmpty();
  }

  private void letOwnersEnd() throws InterruptedException {
    CountDownLatch allOwn = new CountDownLatch(OWNERS);
    List<Thread> owners = new ArrayList<>();
    for (int i = 0; i < OWNERS; i++) {
      owners.add(
          new Thread(
              () -> {
                test.acquire();
                allOwn.countDown();
                try {
                  allOwn.await(); // none adopts the heap of another one
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    owners.forEach(Thread::start);
    for (Thread owner : owners) {
      owner.join();
    }
  }
}
