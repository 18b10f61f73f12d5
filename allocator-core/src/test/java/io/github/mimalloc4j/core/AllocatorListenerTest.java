package io.github.mimalloc4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.ManualUpkeep;
import io.github.mimalloc4j.core.heap.TestBlock;
import io.github.mimalloc4j.core.memory.Memory;
import io.github.mimalloc4j.core.memory.MemoryPolicy;
import io.github.mimalloc4j.core.memory.SegmentSizing;
import io.github.mimalloc4j.core.memory.Slices;
import io.github.mimalloc4j.core.memory.TestSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a listener is told, by whom, and in which order. */
class AllocatorListenerTest {

  private static final int MIN = SegmentSizing.DEFAULT.minBytes();
  private static final int HUGE = SegmentSizing.DEFAULT.maxBytes() + Slices.BYTES;

  private final TestSource source = new TestSource();
  private final ManualUpkeep upkeep = new ManualUpkeep();
  private final Recorder told = new Recorder();
  private final BlockAllocator<TestBlock> allocator =
      new BlockAllocator<>(source, MemoryPolicy.DEFAULT, 1, TestBlock::new, upkeep, told);

  @Test
  void segmentsAreToldWithTheirMemoryBeforeItIsFreed() {
    TestBlock block = allocator.allocateShared(100).begin();
    assertThat(told.takeAll()).containsExactly("obtained " + MIN + " of " + MIN);
    block.release();
    assertThat(allocator.trim()).isEqualTo(MIN);
    assertThat(told.takeAll()).containsExactly("back " + MIN + " of " + MIN, "purged 1, " + MIN);
    assertThat(allocator.trim()).isZero();
    assertThat(told.takeAll()).as("nothing to purge").isEmpty();
  }

  @Test
  void theSegmentOfABlockAloneGoesBackWithoutAPurge() {
    TestBlock block = allocator.allocateShared(HUGE).begin();
    assertThat(told.takeAll()).containsExactly("obtained " + HUGE + " of " + HUGE + ", dedicated");
    block.release();
    assertThat(told.takeAll()).containsExactly("back " + HUGE + " of " + HUGE + ", dedicated");
  }

  @Test
  void aPurgeOfSeveralIsToldOnce() {
    List<TestBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      blocks.add(allocator.allocateShared(60_000).begin());
    }
    int obtained = told.takeAll().size();
    assertThat(obtained).isGreaterThan(2);
    blocks.forEach(TestBlock::release);
    long used = source.usedBytes();
    assertThat(allocator.trim()).isEqualTo(used);
    assertThat(told.takeAll()).hasSize(obtained + 1).endsWith("purged " + obtained + ", " + used);
  }

  @Test
  void anObtainThatFailsIsNoSegment() {
    source.limit = 0;
    assertThatThrownBy(() -> allocator.allocateShared(100)).isInstanceOf(OutOfMemoryError.class);
    assertThat(told.takeAll()).containsExactly("retry at 0");
  }

  @Test
  void aRetryIsToldWithWhatIsUsedThen() {
    allocator.allocateShared(100).begin();
    told.takeAll();
    source.limit = MIN;
    assertThatThrownBy(() -> allocator.allocateShared(HUGE)).isInstanceOf(OutOfMemoryError.class);
    assertThat(told.takeAll()).containsExactly("retry at " + MIN);
  }

  @Test
  void adoptionsAreToldByTheAdopter() throws Exception {
    TestAllocator.runOnThread(
        () -> {
          Heap<TestBlock> heap = allocator.acquire(upkeep);
          heap.allocate(100).begin();
          allocator.abandon(heap);
        });
    told.takeAll();
    TestAllocator.runOnThread(() -> allocator.acquire(upkeep));
    assertThat(told.takeAll()).containsExactly("adopted");
    assertThat(told.thread).isNotSameAs(Thread.currentThread());
  }

  private static final class Recorder implements AllocatorListener {

    private final List<String> told = new ArrayList<>();
    private Thread thread;

    synchronized List<String> takeAll() {
      List<String> taken = List.copyOf(told);
      told.clear();
      return taken;
    }

    private synchronized void add(String what) {
      told.add(what);
      thread = Thread.currentThread();
    }

    private static String segment(Memory memory, int bytes, boolean dedicated) {
      TestSource.TestMemory own = (TestSource.TestMemory) memory;
      return bytes
          + " of "
          + own.bytes
          + (dedicated ? ", dedicated" : "")
          + (own.isFreed() ? ", freed already" : "");
    }

    @Override
    public void doubleReleasesCaught(long releases) {
      add("double releases: " + releases);
    }

    @Override
    public void segmentObtained(Memory memory, int bytes, boolean dedicated) {
      add("obtained " + segment(memory, bytes, dedicated));
    }

    @Override
    public void segmentFreed(Memory memory, int bytes, boolean dedicated) {
      add("back " + segment(memory, bytes, dedicated));
    }

    @Override
    public void purged(int segments, long bytes) {
      add("purged " + segments + ", " + bytes);
    }

    @Override
    public void adopted() {
      add("adopted");
    }

    @Override
    public void retriedForMemory(long usedBytes) {
      add("retry at " + usedBytes);
    }
  }
}
