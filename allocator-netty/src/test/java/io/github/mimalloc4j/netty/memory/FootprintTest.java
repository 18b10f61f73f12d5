package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.heap.Page;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.AddressByteBuf;
import io.github.mimalloc4j.netty.buffers.ArrayByteBuf;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.buffers.NioByteBuf;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Soundness;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Field;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;
import org.openjdk.jol.vm.VM;

/** The sizes and layouts of Java objects, on a 64-bit JVM with compressed pointers. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
class FootprintTest {

  private static final int CACHE_LINE_BYTES = 64;
  private static final int MOST_BYTES_PER_LIVE_BUFFER = 80;
  private static final int MOST_BYTES_PER_UNUSED_BLOCK = 8;

  /** Header and alignment. */
  private static final int ARRAY_OVERHEAD_BYTES = 24;

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  @BeforeEach
  void assumeCompressedPointers() {
    assumeTrue(VM.current().sizeOfField("oop") == 4, "the targets are for compressed pointers");
  }

  @ParameterizedTest
  @ValueSource(classes = {AddressByteBuf.class, NioByteBuf.class, ArrayByteBuf.class})
  void aBufferFitsACacheLine(Class<?> type) {
    ClassLayout layout = ClassLayout.parseClass(type);
    assertThat(layout.instanceSize())
        .as(layout.toPrintable())
        .isLessThanOrEqualTo(CACHE_LINE_BYTES);
  }

  /** Or a release by another thread would take the line away from the holder, which writes it. */
  @Test
  void whatAllThreadsReadOfAPageIsACacheLineAwayFromWhatTheHolderWrites() {
    ClassLayout layout = ClassLayout.parseClass(Page.class);
    long endOfRead = endOf(layout, "PageFields");
    long startOfWritten = startOf(layout, "Page");
    assertThat(startOfWritten - endOfRead)
        .as(layout.toPrintable())
        .isGreaterThanOrEqualTo(CACHE_LINE_BYTES);
    // In front of the read fields there is nothing of ours that is written.
    assertThat(startOf(layout, "PagePadding")).isGreaterThanOrEqualTo(endOfRead);
  }

  /**
   * The locks of two heaps that were made one after the other are as far apart as a heap is long:
   * who takes one leaves the other's cache line alone, and the one beside it.
   */
  @Test
  void aHeapIsLongerThanTwoCacheLines() {
    ClassLayout layout = ClassLayout.parseClass(Heap.class);
    assertThat(layout.instanceSize())
        .as(layout.toPrintable())
        .isGreaterThanOrEqualTo(2 * CACHE_LINE_BYTES);
  }

  private static long endOf(ClassLayout layout, String declaringClass) {
    return fields(layout, declaringClass).mapToLong(f -> f.offset() + f.size()).max().orElseThrow();
  }

  private static long startOf(ClassLayout layout, String declaringClass) {
    return fields(layout, declaringClass).mapToLong(FieldLayout::offset).min().orElseThrow();
  }

  private static Stream<FieldLayout> fields(ClassLayout layout, String declaringClass) {
    return layout.fields().stream()
        .filter(
            f ->
                f.hostClass().endsWith('.' + declaringClass)
                    || f.hostClass().equals(declaringClass));
  }

  /** All objects of an allocator with many live buffers, by the number of them. */
  @ParameterizedTest
  @CsvSource({"64, true", "200, true", "500, true", "1024, true", "64, false", "1024, false"})
  void aLiveBufferCostsLittleJavaHeap(int bytes, boolean direct) {
    int count = 60_000; // beside them what is the process's counts little
    ByteBuf[] live = new ByteBuf[count];
    for (int i = 0; i < count; i++) {
      live[i] = allocate(allocator, direct, bytes);
    }
    assertThat((double) bytesOfObjects() / count)
        .as("bytes of Java objects for each live buffer")
        .isLessThanOrEqualTo(MOST_BYTES_PER_LIVE_BUFFER);
    releaseAll(live);
  }

  /** Of all that is reached from the allocator, without the memory of its heap buffers. */
  private long bytesOfObjects() {
    return JavaHeap.bytes(allocator) - Soundness.used(allocator, false);
  }

  /**
   * What a page has for each block that it has room for, made or not, is the entries of its arrays;
   * that they are all, the test above shows: it counts everything. The smallest blocks are the most
   * in a page.
   */
  @ParameterizedTest
  @CsvSource({"8, true", "64, true", "64, false", "1024, true"})
  void aBlockNeverUsedCostsSlotNumbersAndAReference(int bytes, boolean direct) {
    ByteBuf first = allocate(allocator, direct, bytes);
    Page<?> page = ((MiMallocByteBuf) first).page();
    long withFewBlocks = arrayBytes(page);
    ByteBuf[] others = allocateTheRestOf(page, bytes, direct);
    long withAllBlocks = arrayBytes(page);
    ThreadKind.PLAIN.call(first::release); // another thread's, which may need more
    int capacity = others.length + 1;
    // Three arrays: free stack, blocks, links of the deferred list.
    long bound = (long) capacity * MOST_BYTES_PER_UNUSED_BLOCK + 3 * ARRAY_OVERHEAD_BYTES;
    for (long found : new long[] {withFewBlocks, withAllBlocks, arrayBytes(page)}) {
      assertThat(found).as("for %s blocks", capacity).isPositive().isLessThanOrEqualTo(bound);
    }
    releaseAll(others);
  }

  private ByteBuf[] allocateTheRestOf(Page<?> page, int bytes, boolean direct) {
    return Stream.generate(() -> allocate(allocator, direct, bytes))
        .takeWhile(
            buffer -> {
              if (((MiMallocByteBuf) buffer).page() == page) {
                return true;
              }
              buffer.release();
              return false;
            })
        .toArray(ByteBuf[]::new);
  }

  /** The bytes of all arrays that the page has, those of its deferred list among them. */
  private static long arrayBytes(Object object) {
    return JavaHeap.fields(object.getClass())
        .mapToLong(field -> arrayBytes(field, JavaHeap.value(field, object)))
        .sum();
  }

  private static long arrayBytes(Field field, Object value) {
    if (field.getName().equals("deferred")) {
      return arrayBytes(value);
    }
    return value != null && field.getType().isArray() ? VM.current().sizeOf(value) : 0;
  }

  private static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      buffer.release();
    }
  }

  @Tag("same-without-unsafe")
  @ParameterizedTest
  @CsvSource({"8, 512", "64, 64", "1024, 4", "8192, 1"})
  void aBlockNeverUsedHasNoObject(int bytes, int mostObjects) {
    ByteBuf buffer = ThreadKind.PLAIN.call(() -> allocator.directBuffer(bytes));
    assertThat(JavaHeap.countOf(buffer.getClass(), allocator)).isBetween(1L, (long) mostObjects);
    buffer.release();
    Soundness.assertNothingLive(allocator);
  }
}
