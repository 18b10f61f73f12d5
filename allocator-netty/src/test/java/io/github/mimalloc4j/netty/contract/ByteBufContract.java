package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import io.github.mimalloc4j.netty.support.BufferKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.EmptyByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every topic of the ByteBuf contract shares: the kind under test, and the check that no
 * operation leaves a reference behind.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.github.mimalloc4j.netty.support.BufferKind#tested")
@ExtendWith(EventLoopInterceptor.class)
public abstract class ByteBufContract {
  private static final ResourceLeakDetector.Level LEVEL_BEFORE = ResourceLeakDetector.getLevel();

  @Parameter BufferKind kind;

  /** The last one first: a composite buffer gives up its parts before these are looked at. */
  private final Deque<ByteBuf> allocated = new ArrayDeque<>();

  /** A sampled buffer comes in a wrapper that unwraps to the real one: not what is tested here. */
  @BeforeEach
  final void disableLeakDetection() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterAll
  static void restoreLeakDetection() {
    ResourceLeakDetector.setLevel(LEVEL_BEFORE);
  }

  /** A buffer of the kind under test; released after the test if the test has not done so. */
  final ByteBuf newBuffer(int initialCapacity, int maxCapacity) {
    return releaseLater(kind.newBuffer(initialCapacity, maxCapacity));
  }

  final ByteBuf newBuffer(int initialCapacity) {
    return newBuffer(initialCapacity, Integer.MAX_VALUE);
  }

  /** A buffer of the kind under test that holds the bytes and has no room for more. */
  final ByteBuf newBuffer(byte[] content) {
    return newBuffer(content.length, content.length).writeBytes(content);
  }

  /** A buffer full of random bytes, all of them readable. */
  final ByteBuf newFullBuffer(int capacity) {
    ByteBuf buffer = newBuffer(capacity);
    fill(buffer);
    return buffer.setIndex(0, capacity);
  }

  final ByteBuf releaseLater(ByteBuf buffer) {
    allocated.push(buffer);
    return buffer;
  }

  @AfterEach
  final void noReferenceIsLeftOver() {
    for (ByteBuf buffer : allocated) {
      // The empty buffer is a constant that is never released.
      if (buffer.refCnt() != 0 && !(buffer instanceof EmptyByteBuf)) {
        assertThat(buffer.refCnt()).as("references at the end of the test").isEqualTo(1);
        assertThat(buffer.release()).isTrue();
        assertThat(buffer.refCnt()).isZero();
      }
    }
    assertThat(BufferKind.misuses()).as("found by debug mode").isEmpty();
    if (kind.allocator() instanceof MiMallocByteBufAllocator allocator) {
      assertOnlyLiveBlocksAreSampled(allocator.metric());
    }
  }

  /** Blocks that were set aside are live, too. Without the option there is no sample. */
  private static void assertOnlyLiveBlocksAreSampled(MiMallocByteBufAllocatorMetric metric) {
    long sampled = metric.liveProfile().sites().stream().mapToLong(LiveProfile.Site::bytes).sum();
    assertThat(sampled)
        .isLessThanOrEqualTo(metric.pinnedDirectMemory() + metric.pinnedHeapMemory());
  }

  /** The same bytes for the same length in every run. */
  static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** Fills the whole capacity with random bytes and returns them. */
  static byte[] fill(ByteBuf buffer) {
    byte[] bytes = randomBytes(buffer.capacity());
    buffer.setBytes(0, bytes);
    return bytes;
  }

  /** The bytes of the whole capacity, whatever the indexes. */
  public static byte[] contentOf(ByteBuf buffer) {
    return bytesOf(buffer, 0, buffer.capacity());
  }

  static byte[] readableBytesOf(ByteBuf buffer) {
    return bytesOf(buffer, buffer.readerIndex(), buffer.readableBytes());
  }

  public static byte[] bytesOf(ByteBuf buffer, int index, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(index, bytes);
    return bytes;
  }

  static void assertIndexes(ByteBuf buffer, int readerIndex, int writerIndex) {
    assertThat(buffer.readerIndex()).as("readerIndex").isEqualTo(readerIndex);
    assertThat(buffer.writerIndex()).as("writerIndex").isEqualTo(writerIndex);
  }

  /** What the operation throws, once it is sure that it has left no trace on the buffer. */
  static Throwable catchWithoutTrace(ByteBuf buffer, ThrowingCallable operation) {
    int capacity = buffer.capacity();
    int readerIndex = buffer.readerIndex();
    int writerIndex = buffer.writerIndex();
    int references = buffer.refCnt();
    byte[] content = contentOf(buffer);
    Throwable thrown = catchThrowable(operation);
    assertThat(buffer.capacity()).as("capacity").isEqualTo(capacity);
    assertIndexes(buffer, readerIndex, writerIndex);
    assertThat(buffer.refCnt()).as("refCnt").isEqualTo(references);
    assertThat(contentOf(buffer)).as("content").isEqualTo(content);
    return thrown;
  }

  static void assertRejected(
      Class<? extends Throwable> expected, ByteBuf buffer, ThrowingCallable operation) {
    assertThat(catchWithoutTrace(buffer, operation)).isInstanceOf(expected);
  }

  static void assertOutOfBounds(ByteBuf buffer, ThrowingCallable operation) {
    assertRejected(IndexOutOfBoundsException.class, buffer, operation);
  }
}
