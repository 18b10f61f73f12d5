package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.blockBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Listeners and log appenders that throw, in the middle of an allocation, a release or a growth:
 * the caller gets errors that they throw, exceptions go no further, and no block is lost.
 */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class ThrowingListenersTest {

  private static final byte WRITTEN = 0x5A;

  private final AssertionError thrown = new AssertionError("planted");
  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder()
          .debug(true)
          .misuseListener(
              event -> {
                throw thrown;
              })
          .trimDelayMillis(TimeUnit.HOURS.toMillis(1))
          .build();

  private final AllocatorLog log = new AllocatorLog();

  @AfterEach
  void closeLog() {
    log.close();
  }

  /** Without the huge ones, whose memory is gone with their release. */
  static Stream<Arguments> withBuffersOfSharedSegments() {
    return ThreadKind.withBuffers().filter(each -> (int) each.get()[1] <= 8 << 20);
  }

  @ParameterizedTest
  @MethodSource("withBuffersOfSharedSegments")
  void anAllocationThatFindsDamageGivesTheBlockBack(ThreadKind kind, int bytes, boolean direct) {
    kind.call(
        () -> {
          ByteBuf buffer = allocate(allocator, direct, bytes);
          ByteBuffer raw = rawBlock(buffer);
          buffer.release();
          raw.put(bytes / 2, WRITTEN);
          assertThatThrownBy(() -> allocateUntil(buffer, direct, bytes)).isSameAs(thrown);
          allocateUntil(buffer, direct, bytes); // it was found once, and is not lost
          return null;
        });
    assertNothingHeld(allocator);
  }

  /** Allocates the block of a buffer again, at the latest after the others of its page. */
  private void allocateUntil(ByteBuf wanted, boolean direct, int bytes) {
    ByteBuf[] all = new ByteBuf[400];
    int count = 0;
    try {
      do {
        all[count] = allocate(allocator, direct, bytes);
      } while (all[count++] != wanted);
    } finally {
      for (int i = 0; i < count; i++) {
        all[i].release();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aReleaseThatFindsAnOverrunIsComplete(ThreadKind kind, int bytes, boolean direct) {
    kind.call(
        () -> {
          ByteBuf buffer = allocate(allocator, direct, bytes);
          rawBlock(buffer).put(bytes, WRITTEN);
          assertThatThrownBy(buffer::release).isSameAs(thrown);
          assertThat(buffer.refCnt()).isZero();
          return null;
        });
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aReleaseElsewhereThatFindsAnOverrunIsComplete(ThreadKind kind, int bytes, boolean direct) {
    ByteBuf buffer =
        kind.call(
            () -> {
              ByteBuf allocated = allocate(allocator, direct, bytes);
              rawBlock(allocated).put(bytes, WRITTEN);
              return allocated;
            });
    assertThatThrownBy(buffer::release).isSameAs(thrown);
    assertThat(buffer.refCnt()).isZero();
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aGrowthThatFindsAnOverrunLosesNeitherBlock(ThreadKind kind, int bytes, boolean direct) {
    kind.call(
        () -> {
          ByteBuf buffer = allocate(allocator, direct, bytes);
          buffer.setByte(bytes - 1, WRITTEN);
          rawBlock(buffer).put(bytes, WRITTEN);
          assertThatThrownBy(() -> buffer.capacity(2 * bytes)).isSameAs(thrown);
          assertThat(buffer.refCnt()).isOne();
          assertThat(buffer.capacity()).isBetween(bytes, 2 * bytes);
          assertThat(buffer.getByte(bytes - 1)).isEqualTo(WRITTEN);
          buffer.capacity(2 * bytes); // the damage was found once
          buffer.setZero(0, 2 * bytes);
          buffer.release();
          return null;
        });
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#withBuffers")
  void aResizeThatFindsAnOverrunChangesNothing(ThreadKind kind, int bytes, boolean direct) {
    kind.call(
        () -> {
          ByteBuf buffer = allocate(allocator, direct, bytes);
          rawBlock(buffer).put(bytes, WRITTEN);
          assertThatThrownBy(() -> buffer.capacity(bytes - 1)).isSameAs(thrown);
          assertThat(buffer.capacity()).isEqualTo(bytes);
          buffer.capacity(bytes - 1);
          buffer.release();
          return null;
        });
    assertNothingHeld(allocator);
  }

  @Test
  void anAppenderThatThrowsIsNoOtherCase() {
    try (ThrowingLog appender = new ThrowingLog(thrown)) {
      ByteBuf buffer = allocator.directBuffer(100);
      rawBlock(buffer).put(100, WRITTEN);
      assertThatThrownBy(buffer::release).isSameAs(thrown);
      assertThat(appender.records()).hasSize(1);
    }
    assertNothingHeld(allocator);
  }

  @Test
  void anExceptionOfAnAppenderGoesNoFurther() {
    try (ThrowingLog appender = new ThrowingLog(new IllegalStateException("planted"))) {
      ByteBuf buffer = allocator.directBuffer(100);
      rawBlock(buffer).put(100, WRITTEN);
      assertThatThrownBy(buffer::release).as("by the listener").isSameAs(thrown);
      assertThat(appender.records()).hasSize(1);
    }
    assertNothingHeld(allocator);
  }

  /** In a JVM of its own, for the leak detector works with the whole heap. */
  @Test
  void aLeakListenerThatThrowsCostsNoBuffer() {
    OtherJvm.run(ThrowingLeakListener.class, "-Xmx64m").assertSucceeded();
  }

  /** A bad option is a warning, whatever the appender does with it. */
  @Test
  void theAllocatorIsThereThoughABadOptionCannotBeLogged() {
    OtherJvm.run(BadOption.class, "-Dio.netty.allocator.mimalloc.jmx=perhaps").assertSucceeded();
  }

  static final class BadOption {

    private BadOption() {}

    public static void main(String[] args) {
      try (ThrowingLog log = new ThrowingLog(new NoClassDefFoundError("planted"))) {
        MiMallocByteBufAllocator.DEFAULT.directBuffer(16).release();
        // Without Unsafe, the log also has a line about direct memory.
        assertThat(log.records())
            .extracting(LogRecord::getMessage)
            .filteredOn(message -> message.contains("jmx=perhaps"))
            .hasSize(1);
      }
    }
  }

  static final class ThrowingLeakListener {

    private static volatile int reports;

    public static void main(String[] args) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
      ByteBufUtil.setLeakListener(
          (type, records) -> {
            reports++;
            throw new AssertionError("planted");
          });
      MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
      allocator.directBuffer(100).touch("leaked");
      long leaked = allocator.metric().pinnedDirectMemory();
      await() // it is the JVM's own thread that tells the detector what a collection has found
          .untilAsserted(
              () -> {
                System.gc();
                assertThatThrownBy(() -> allocator.directBuffer(100).release())
                    .hasMessage("planted");
              });
      assertThat(reports).isOne();
      assertSound(allocator);
      assertThat(allocator.metric().pinnedDirectMemory()).isEqualTo(leaked);
    }
  }

  private static ByteBuffer rawBlock(ByteBuf buffer) {
    MiMallocByteBuf block = (MiMallocByteBuf) buffer;
    return block.memory().buffer().slice(block.offset(), blockBytes(buffer));
  }

  /** An appender that throws. */
  private static final class ThrowingLog extends AllocatorLog {

    private final Throwable thrown;

    ThrowingLog(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public void publish(LogRecord entry) {
      super.publish(entry);
      if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
      throw (Error) thrown;
    }
  }
}
