package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.TestAllocator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetiredPagesTest {

  private static final int LARGE_PAGE_BYTES = 4 * SizeClasses.MAX_BLOCK_BYTES;

  /** What every heap keeps. */
  private static final int LIMIT_PAGES = RetiredPages.MIN_LIMIT_BYTES / LARGE_PAGE_BYTES;

  private final TestAllocator test = new TestAllocator();
  private final Heap<TestBlock> heap = test.acquire();
  private final RetiredPages<TestBlock> retired = new RetiredPages<>();
  private final RetiredPages<TestBlock> large = new RetiredPages<>();
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

  @Test
  void moreThanEveryHeapKeepsAreTooManyIfFewWereInUseAtOneTime() {
    long heapBytes = 0;
    for (Page<TestBlock> page : largePages(LIMIT_PAGES + 1)) {
      assertThat(large.areTooMany(heapBytes)).isFalse();
      heapBytes += LARGE_PAGE_BYTES; // all others are here
      large.add(page, heapBytes);
    }
    assertThat(large.areTooMany(heapBytes)).isTrue();
  }

  @Test
  void theyAreKeptWhileTheHeapIsNoLargerThanWhatWasInUse() {
    long inUse = (LIMIT_PAGES + 1L) * LARGE_PAGE_BYTES;
    largePages(LIMIT_PAGES + 1).forEach(page -> large.add(page, inUse));
    assertThat(large.areTooMany(inUse)).isFalse();
    assertThat(large.areTooMany(inUse + 1)).as("the heap grew").isTrue();
    large.trimBegins();
    assertThat(large.areTooMany(inUse)).as("needed before the trim only").isTrue();
  }

  @Test
  void twiceWhatEveryHeapKeepsIsTheMost() {
    long inUse = (2L * LIMIT_PAGES + 1) * LARGE_PAGE_BYTES;
    for (Page<TestBlock> page : largePages(2 * LIMIT_PAGES + 1)) {
      assertThat(large.areTooMany(inUse)).isFalse();
      large.add(page, inUse);
    }
    assertThat(large.areTooMany(inUse)).isTrue();
  }

  private List<Page<TestBlock>> largePages(int count) {
    List<TestBlock> blocks =
        Stream.generate(() -> heap.allocate(SizeClasses.MAX_BLOCK_BYTES))
            .limit(4L * count)
            .toList();
    blocks.forEach(block -> block.page.push(block.slot));
    List<Page<TestBlock>> pages = blocks.stream().map(block -> block.page).distinct().toList();
    assertThat(pages).hasSize(count).allMatch(page -> page.bytes() == LARGE_PAGE_BYTES);
    return pages;
  }
}
