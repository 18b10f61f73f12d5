package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.DeepStack;
import io.github.mimalloc4j.core.TestAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The holder of a heap comes to the end of its stack, at any place within its slow paths. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HeapStackOverflowTest {

  private static final int SIZE = 1000;

  /** Of which a page has four. */
  private static final int LARGE = 16_000;

  private static final int PAGE_BLOCKS = 4;

  /** With a page to itself. */
  private static final int LARGE_BLOCK = 1 << 20;

  /** How often each thread does something before its stack ends, so that it is compiled. */
  private static final int WARM_UP = 5000;

  /** How many objects each thread has for where its stack ends: a fresh one for each attempt. */
  private static final int ATTEMPTS = 300;

  /** As above: a heap is abandoned only where there is much more stack. */
  private static final int ATTEMPTS_TO_ABANDON = 1500;

  private final TestAllocator test = new TestAllocator();
  private final List<TestBlock> blocks = new ArrayList<>();
  private Heap<TestBlock> heap = test.acquire();

  /** Otherwise blocks that were taken from the deferred list are lost. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, PAGE_BLOCKS - 1})
  void whileItCollects(int block) {
    List<TestBlock> deferred = allocate(PAGE_BLOCKS);
    deferred.forEach(TestBlock::releaseDeferred);
    deferred.get(block).reclaimOverflows = 1; // real ones hit this only where nothing is compiled
    assertThatThrownBy(heap::trim).isInstanceOf(StackOverflowError.class);
    heap.trim();
    assertThat(heap.pageBytes()).isZero();
    releaseAllAndFindNothingLost();
  }

  /** Otherwise a page that was taken out of the mailbox is never looked at again. */
  @Test
  void whileItLooksAtTheMail() throws Exception {
    List<Heap<?>> heaps = new ArrayList<>();
    Runnable before =
        () -> {
          for (int i = 0; i < WARM_UP; i++) {
            post();
            heap.pages().drainPortion();
          }
          for (int i = 0; i < ATTEMPTS; i++) {
            heap = test.acquire();
            post();
            post();
            heaps.add(heap);
          }
        };
    Consumer<Heap<?>> drain = each -> each.pages().drainPortion();
    assertThat(DeepStack.runOnEach(before, heaps, drain)).isPositive();
    for (Heap<TestBlock> each : test.owned()) {
      each.pages().drainPortion();
    }
    test.check();
    releaseAllAndFindNothingLost();
  }

  /** Has a page asked for, and then posted. */
  private void post() {
    List<TestBlock> some = allocate(PAGE_BLOCKS + 1);
    some.remove(0).releaseDeferred();
    blocks.addAll(some);
  }

  /** Otherwise a page is forgotten and its memory lost, or counted though it is gone. */
  @Test
  void whileItGivesPagesBack() throws Exception {
    Runnable giveBack = () -> heap.pages().trimOldestRetired();
    Runnable before =
        () -> {
          heap = test.acquire(); // of the thread that is about to overflow
          for (int i = 0; i < 500; i++) { // often enough that all of it is compiled
            allocate(100).forEach(TestBlock::releaseAsOwner);
            for (int n = 0; n < (i == 499 ? 0 : 30); n++) {
              giveBack.run();
            }
          }
        };
    assertThat(DeepStack.run(before, giveBack)).isPositive();
    releaseAllAndFindNothingLost();
  }

  /** Otherwise the heap of an ended thread is never trimmed. */
  @Test
  void whileItAbandonsAHeap() throws Exception {
    List<Heap<?>> heaps = new ArrayList<>();
    Runnable before =
        () -> {
          for (int i = 0; i < ATTEMPTS_TO_ABANDON; i++) {
            heap = test.acquire();
            blocks.addAll(allocate(1));
            heap.allocate(SIZE).begin().releaseAsOwner();
            heaps.add(heap);
          }
        };
    Consumer<Heap<?>> abandon = each -> each.abandon(Thread.currentThread());
    assertThat(DeepStack.runOnEach(before, heaps, abandon)).isPositive();
    for (Heap<TestBlock> each : test.owned()) {
      each.abandon(each.owner());
    }
    blocks.forEach(TestBlock::releaseDeferred);
    blocks.clear();
    assertThat(test.owned()).allMatch(each -> each.pages().table().count() == 0);
    releaseAllAndFindNothingLost();
  }

  /** Otherwise free segments stay, and shared heaps that were not reached. */
  @Test
  void whileTheAllocatorIsClosed() {
    TestBlock small = test.allocator.allocateShared(SIZE).begin();
    TestBlock large = test.allocator.allocateShared(LARGE_BLOCK).begin();
    small.releaseDeferred();
    small.reclaimOverflows = 1;
    assertThatThrownBy(test.allocator::close).isInstanceOf(StackOverflowError.class);
    long used = test.source.usedBytes();
    large.releaseDeferred();
    assertThat(used - test.source.usedBytes()).isGreaterThanOrEqualTo(LARGE_BLOCK);
    test.allocator.close();
    assertThat(test.source.usedBytes()).isZero();
  }

  private List<TestBlock> allocate(int count) {
    List<TestBlock> allocated = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      allocated.add(heap.allocate(LARGE).begin());
    }
    return allocated;
  }

  private void releaseAllAndFindNothingLost() {
    blocks.forEach(TestBlock::releaseDeferred);
    for (Heap<TestBlock> each : test.owned()) {
      each.abandon(each.owner());
    }
    test.check();
    assertThat(test.allocator.pagedBytes()).isZero();
    test.allocator.trim();
    assertThat(test.source.usedBytes()).isZero();
  }
}
