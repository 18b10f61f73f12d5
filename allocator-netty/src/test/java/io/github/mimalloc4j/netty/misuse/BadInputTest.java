package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.memory.OutOfMemoryPrograms;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLimit;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.PrintedLog;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What nobody should ask for is refused, and changes nothing. */
@ExtendWith(LeakDetectionOff.class)
class BadInputTest {

  private final MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);

  @Test
  void sizesThatAreNone() {
    assertIllegal(() -> allocator.directBuffer(-1));
    assertIllegal(() -> allocator.heapBuffer(-1));
    assertIllegal(() -> allocator.directBuffer(Integer.MIN_VALUE));
    assertIllegal(() -> allocator.directBuffer(10, 9));
    assertIllegal(() -> allocator.heapBuffer(10, 9));
    assertIllegal(() -> allocator.directBuffer(0, -1));
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void useAfterRelease(boolean direct) {
    ByteBuf buffer = allocate(allocator, direct, 16);
    ByteBuf slice = buffer.slice(0, 8);
    buffer.release();
    for (ByteBuf gone : new ByteBuf[] {buffer, slice}) {
      assertReleased(() -> gone.getLong(0));
      assertReleased(() -> gone.setLong(0, 1));
      assertReleased(() -> gone.getBytes(0, new byte[8]));
      assertReleased(() -> gone.setBytes(0, new byte[8]));
      assertReleased(() -> gone.setZero(0, 8));
      assertReleased(() -> gone.nioBuffer(0, 8));
      assertReleased(() -> gone.internalNioBuffer(0, 8));
      assertReleased(() -> gone.copy(0, 8));
      assertReleased(gone::retain);
    }
    assertReleased(() -> buffer.capacity(8));
    assertReleased(() -> buffer.capacity(1 << 20));
    if (direct && buffer.hasMemoryAddress()) {
      assertReleased(buffer::memoryAddress);
    }
    if (!direct) {
      assertReleased(buffer::array);
    }
    assertNothingHeld(allocator);
  }

  @Test
  void segmentSizesThatAreNone() {
    for (int bytes : new int[] {0, -1, -16384, 1000, 16383, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> MiMallocByteBufAllocator.builder().minSegmentBytes(bytes).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("minSegmentBytes")
          .hasMessageContaining(String.valueOf(bytes));
      assertThatThrownBy(() -> MiMallocByteBufAllocator.builder().maxSegmentBytes(bytes).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("maxSegmentBytes")
          .hasMessageContaining(String.valueOf(bytes));
    }
    assertThatThrownBy(
            () ->
                MiMallocByteBufAllocator.builder()
                    .minSegmentBytes(32768)
                    .maxSegmentBytes(16384)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16384")
        .hasMessageContaining("32768");
  }

  /** Whether properties say otherwise or not. */
  @ParameterizedTest
  @CsvSource({"jmx=false, jmx=false", "minSegmentBytes=65536, maxSegmentBytes=131072"})
  void aSegmentSizeThatTheProgramSetsMovesTheOtherOne(String one, String other) {
    String prefix = "-Dio.netty.allocator.mimalloc.";
    OtherJvm.run(OneSegmentSize.class, prefix + one, prefix + other).assertSucceeded();
  }

  static final class OneSegmentSize {
    public static void main(String[] args) {
      try (MiMallocByteBufAllocator small =
              MiMallocByteBufAllocator.builder().maxSegmentBytes(16384).build();
          MiMallocByteBufAllocator large =
              MiMallocByteBufAllocator.builder().minSegmentBytes(16 << 20).build()) {
        small.directBuffer(100).release();
        large.directBuffer(100).release();
        assertThat(small.metric().usedDirectMemory()).isEqualTo(16384);
        assertThat(large.metric().usedDirectMemory()).isEqualTo(16 << 20);
      }
    }
  }

  @Test
  void optionsOutOfRangeAreRefusedByName() {
    assertRefused("maxDirectMemory", -1, builder -> builder.maxDirectMemory(-1));
    assertRefused("maxHeapMemory", -1, builder -> builder.maxHeapMemory(-1));
    assertRefused("retainedTarget", -1, builder -> builder.retainedTarget(-1));
    assertRefused("trimDelayMillis", -1, builder -> builder.trimDelayMillis(-1));
    assertRefused("trimDelayMillis", 1L << 31, builder -> builder.trimDelayMillis(1L << 31));
    assertRefused("maxSharedThreadHeaps", -1, builder -> builder.maxSharedThreadHeaps(-1));
    assertRefused("maxSharedThreadHeaps", 65537, builder -> builder.maxSharedThreadHeaps(65537));
  }

  private static void assertRefused(
      String option, long value, Consumer<MiMallocByteBufAllocator.Builder> set) {
    MiMallocByteBufAllocator.Builder builder = MiMallocByteBufAllocator.builder();
    set.accept(builder);
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(option)
        .hasMessageContaining(String.valueOf(value));
  }

  @ParameterizedTest
  @CsvSource({
    "minSegmentBytes, abc, 262144",
    "minSegmentBytes, -1, 262144",
    "minSegmentBytes, 1000, 262144",
    "maxSegmentBytes, 99999999999999, 8388608"
  })
  void aBadOptionIsOneWarningThatNamesItItsValueAndTheDefault(
      String option, String value, String defaultValue) {
    String property = "io.netty.allocator.mimalloc." + option;
    String output =
        OtherJvm.run(PrintLog.class, "-D" + property + '=' + value).assertSucceeded().output();
    assertThat(output.lines().filter(line -> line.startsWith(Level.WARNING.getName())))
        .as(output)
        .singleElement()
        .asString()
        .contains(property, value, defaultValue);
  }

  @Test
  void aGoodOptionIsToldAtDebugLevelOnly() {
    String output =
        OtherJvm.run(PrintLog.class, "-Dio.netty.allocator.mimalloc.minSegmentBytes=65536")
            .assertSucceeded()
            .output();
    assertThat(output.lines().filter(line -> line.startsWith(Level.WARNING.getName()))).isEmpty();
    assertThat(output.lines().filter(line -> line.startsWith(Level.FINE.getName())))
        .anyMatch(line -> line.contains("io.netty.allocator.mimalloc.minSegmentBytes: 65536"))
        .anyMatch(line -> line.contains("io.netty.allocator.mimalloc.maxSegmentBytes: 8388608"));
    assertThat(output).contains("first segment: 65536");
  }

  /** Of two properties, the larger counts for both. */
  @ParameterizedTest
  @CsvSource({
    "maxSegmentBytes=131072, jmx=false, 131072",
    "minSegmentBytes=16777216, jmx=false, 16777216",
    "maxSegmentBytes=131072, minSegmentBytes=196608, 196608",
  })
  void aSegmentSizeThatAPropertySetsMovesTheDefaultOfTheOtherOne(
      String one, String other, String firstSegment) {
    String prefix = "-Dio.netty.allocator.mimalloc.";
    String output =
        OtherJvm.run(PrintLog.class, prefix + one, prefix + other).assertSucceeded().output();
    assertThat(output).contains("first segment: " + firstSegment);
    assertThat(output.lines().filter(line -> line.startsWith(Level.WARNING.getName()))).isEmpty();
  }

  /** Loads the allocator and prints what it logs. */
  static final class PrintLog {
    public static void main(String[] args) {
      PrintedLog.begin();
      MiMallocByteBufAllocator.DEFAULT.directBuffer(100).release();
      System.out.println(
          "first segment: " + MiMallocByteBufAllocator.DEFAULT.metric().usedDirectMemory());
      assertSound(MiMallocByteBufAllocator.DEFAULT);
    }
  }

  /** What is kept for small buffers must not make a large request fail that would fit. */
  @ParameterizedTest
  @ValueSource(ints = {10 << 20, 16 << 20})
  void aLargeRequestAtTheLimitGetsWhatReleasedSmallBuffersHeld(int limit) {
    NettyLimit.of(limit)
        .run(
            OutOfMemoryPrograms.LargeAfterSmall.class,
            "-Dio.netty.allocator.mimalloc.trimDelayMillis=3600000") // it may hold the heap
        .assertSucceeded();
  }

  @Test
  void anExhaustedJavaHeapLosesNothing() {
    OtherJvm.run(OutOfMemoryPrograms.FillJavaHeap.class, "-Xmx64m").assertSucceeded();
  }

  private static void assertIllegal(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertReleased(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalReferenceCountException.class);
  }
}
