package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.TestAllocator;
import org.junit.jupiter.api.Test;

class RetiredPagesTest {

  private final TestAllocator test = new TestAllocator();
  private final Heap<TestBlock> heap = test.acquire();
  private final RetiredPages<TestBlock> retired = new RetiredPages<>();
  private final Page<TestBlock> first = emptyPage(100);
  private final Page<TestBlock> second = emptyPage(200);
  private final Page<TestBlock> third = emptyPage(300);

  /** With a block made, and none in use. */
  private Page<TestBlock> emptyPage(int size) {
    TestBlock block = heap.allocate(size);
    block.page.push(block.slot);
    retired.add(block.page, Long.MAX_VALUE);
    return block.page;
  }

  @Test
  void comeInTheOrderInWhichTheyWereRetired() {
    assertThat(retired.bytes()).isEqualTo(first.bytes() + second.bytes() + third.bytes());
    assertThat(retired.poll()).isSameAs(first);
    assertThat(retired.poll()).isSameAs(second);
    assertThat(retired.poll()).isSameAs(third);
    assertThat(retired.poll()).isNull();
    assertThat(retired.bytes()).isZero();
  }

  @Test
  void siftingLooksAtAsManyAsItIsTold() {
    second.pop();
    retired.sift(1);
    assertThat(second.isRetired()).as("not looked at").isTrue();
    retired.sift(1);
    assertThat(second.isRetired()).isFalse();
    assertThat(retired.poll()).isSameAs(third);
    assertThat(retired.poll()).isSameAs(first);
    assertThat(retired.poll()).isNull();
  }
}
