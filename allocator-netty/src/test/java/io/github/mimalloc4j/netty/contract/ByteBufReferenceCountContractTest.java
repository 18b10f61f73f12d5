package io.github.mimalloc4j.netty.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.netty.support.Spin;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds a reference may use the buffer; the last one out frees it, once. */
class ByteBufReferenceCountContractTest extends ByteBufContract {
  /** As many as can run at the same time: only these meet each other. */
  private static final int THREADS =
      Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));

  /** The number of buffers over which threads race. */
  private static final int RACES = 2000;

  @Test
  void startsWithOneReference() {
    ByteBuf buffer = newBuffer(64);
    assertThat(buffer.refCnt()).isEqualTo(1);
    assertThat(buffer.release()).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void retainAndReleaseCount() {
    ByteBuf buffer = newBuffer(64);
    assertThat(buffer.retain()).isSameAs(buffer);
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(buffer.retain(5)).isSameAs(buffer);
    assertThat(buffer.refCnt()).isEqualTo(7);
    assertThat(buffer.release()).isFalse();
    assertThat(buffer.refCnt()).isEqualTo(6);
    assertThat(buffer.release(4)).isFalse();
    assertThat(buffer.refCnt()).isEqualTo(2);
    assertThat(buffer.release(2)).isTrue();
    assertThat(buffer.refCnt()).isZero();
  }

  @Test
  void contentLivesUntilTheLastRelease() {
    ByteBuf buffer = newFullBuffer(64).retain();
    byte[] content = contentOf(buffer);
    buffer.release();
    assertThat(contentOf(buffer)).isEqualTo(content);
    buffer.writerIndex(0).writeLong(42);
    assertThat(buffer.readLong()).isEqualTo(42);
  }

  @Test
  void touchReturnsTheBuffer() {
    ByteBuf buffer = newBuffer(64);
    assertThat(buffer.touch()).isSameAs(buffer);
    assertThat(buffer.touch("hint")).isSameAs(buffer);
    assertThat(buffer.touch(null)).isSameAs(buffer);
    assertThat(buffer.refCnt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, -2, Integer.MIN_VALUE})
  void nonPositiveCountsAreIllegalArguments(int count) {
    ByteBuf buffer = newFullBuffer(64).retain();
    Class<? extends Throwable> illegal = IllegalArgumentException.class;
    assertRejected(illegal, buffer, () -> buffer.retain(count));
    assertRejected(illegal, buffer, () -> buffer.release(count));
    buffer.release();
    assertRejected(illegal, buffer, () -> buffer.retain(count));
    assertRejected(illegal, buffer, () -> buffer.release(count));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void overflowLeavesTheCountAsItWas(int count) {
    ByteBuf buffer = newFullBuffer(64);
    buffer.retain(count);
    assertIllegalCount(buffer, () -> buffer.retain(Integer.MAX_VALUE));
    assertIllegalCount(buffer, () -> buffer.retain(Integer.MAX_VALUE - count));
    assertThat(buffer.release(count)).isFalse();
  }

  /** Where the limit is differs: Netty stops at 2^30 - 1. */
  @Test
  void retainsUpToTheLimitAndNotBeyond() {
    ByteBuf buffer = newFullBuffer(64);
    for (int step = 1 << 29; step > 0; step = step >> 1) {
      retainWhilePossible(buffer, step);
    }
    assertThat(buffer.refCnt()).isGreaterThanOrEqualTo((1 << 30) - 1);
    for (int i = 0; i < 3; i++) {
      assertIllegalCount(buffer, buffer::retain);
    }
    assertThat(buffer.release(buffer.refCnt() - 1)).isFalse();
    assertThat(buffer.refCnt()).isEqualTo(1);
  }

  private static void retainWhilePossible(ByteBuf buffer, int increment) {
    while (true) {
      int before = buffer.refCnt();
      try {
        buffer.retain(increment);
      } catch (IllegalReferenceCountException e) {
        assertThat(buffer.refCnt()).isEqualTo(before);
        return;
      }
      assertThat(buffer.refCnt()).isEqualTo(before + increment);
    }
  }

  @Test
  void overReleaseLeavesTheCountAsItWas() {
    ByteBuf buffer = newFullBuffer(64);
    assertIllegalCount(buffer, () -> buffer.release(2));
    buffer.retain();
    assertIllegalCount(buffer, () -> buffer.release(5));
    assertIllegalCount(buffer, () -> buffer.release(3));
    // Netty doubles the decrement without a look at its size: 2^31 - 1 wraps to -2, a retain.
    if (!kind.isNetty()) {
      assertIllegalCount(buffer, () -> buffer.release(Integer.MAX_VALUE));
      assertIllegalCount(buffer, () -> buffer.release((1 << 30) + 1));
    }
    assertThat(buffer.release(2)).isTrue();
  }

  private static void assertIllegalCount(ByteBuf buffer, ThrowingCallable operation) {
    assertRejected(IllegalReferenceCountException.class, buffer, operation);
  }

  @Test
  void releasedBufferCanBeNeitherReleasedNorRetained() {
    ByteBuf buffer = newBuffer(64);
    buffer.release();
    for (int i = 0; i < 3; i++) {
      assertReleased(buffer, buffer::release);
      assertReleased(buffer, () -> buffer.release(1));
      assertReleased(buffer, () -> buffer.release(2));
      assertReleased(buffer, buffer::retain);
      assertReleased(buffer, () -> buffer.retain(1));
      assertReleased(buffer, () -> buffer.retain(1000));
    }
  }

  private static void assertReleased(ByteBuf buffer, ThrowingCallable operation) {
    assertThatThrownBy(operation).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(buffer.refCnt()).isZero();
  }

  /** A double release that went through would hand the same bytes out twice. */
  @Test
  void failedReleaseFreesNothing() {
    ByteBuf released = newBuffer(64);
    released.release();
    assertReleased(released, released::release);
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      buffers.add(newBuffer(64, 64).writeZero(64).setByte(0, i));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(buffers.get(i).getByte(0)).isEqualTo((byte) i);
      assertThat(buffers.get(i).getByte(63)).isZero();
    }
    assertThat(buffers).doesNotHaveDuplicates();
  }

  @Test
  void toStringWorksLiveAndReleased() {
    ByteBuf buffer = newBuffer(64, 128).setIndex(3, 9);
    assertThat(buffer.toString()).contains("ridx: 3", "widx: 9", "cap: 64/128");
    buffer.release();
    assertThat(buffer.toString()).contains("freed");
  }

  @Test
  void utilitiesSeeAReferenceCountedObject() {
    ByteBuf buffer = newBuffer(64);
    assertThat(ReferenceCountUtil.retain(buffer)).isSameAs(buffer);
    assertThat(ReferenceCountUtil.refCnt(buffer)).isEqualTo(2);
    assertThat(ReferenceCountUtil.release(buffer)).isFalse();
    assertThat(ReferenceCountUtil.release(buffer)).isTrue();
  }

  @Test
  void racingReleasesFreeExactlyOnce() throws Exception {
    List<ByteBuf> buffers = newBuffers(THREADS);
    assertFreedOnce(buffers, race(buffers, ByteBuf::release));
  }

  @Test
  void racingReleasesOfSeveralReferencesFreeExactlyOnce() throws Exception {
    List<ByteBuf> buffers = newBuffers(5 * THREADS);
    assertFreedOnce(buffers, race(buffers, buffer -> buffer.release(3) | buffer.release(2)));
  }

  @Test
  void racingRetainsAndReleasesLoseNoReference() throws Exception {
    List<ByteBuf> buffers = newBuffers(THREADS + 1);
    int[] freed = race(buffers, ByteBufReferenceCountContractTest::retainAndRelease);
    assertThat(freed).containsOnly(0);
    for (ByteBuf buffer : buffers) {
      assertThat(buffer.refCnt()).isEqualTo(THREADS + 1);
      assertThat(buffer.release(THREADS)).isFalse();
    }
  }

  private static boolean retainAndRelease(ByteBuf buffer) {
    boolean freed = false;
    for (int i = 1; i <= 10; i++) {
      buffer.retain(i).retain();
      freed |= buffer.release(i) | buffer.release();
    }
    return freed;
  }

  /**
   * Releases without a reference, of which all but one must fail. None of the threads is the
   * allocating one: against that one, our allocator notices a double release only later.
   */
  @Test
  void racingSurplusReleasesAreRefused() throws Exception {
    List<ByteBuf> buffers = newBuffers(1);
    int[] freed = race(buffers, ByteBufReferenceCountContractTest::releaseUnlessReleased);
    assertFreedOnce(buffers, freed);
  }

  private static boolean releaseUnlessReleased(ByteBuf buffer) {
    try {
      return buffer.release();
    } catch (IllegalReferenceCountException e) {
      return false;
    }
  }

  private List<ByteBuf> newBuffers(int references) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int i = 0; i < RACES; i++) {
      ByteBuf buffer = newBuffer(16);
      if (references > 1) {
        buffer.retain(references - 1);
      }
      buffers.add(buffer);
    }
    return buffers;
  }

  private static void assertFreedOnce(List<ByteBuf> buffers, int[] freed) {
    assertThat(freed).containsOnly(1);
    for (ByteBuf buffer : buffers) {
      assertThat(buffer.refCnt()).isZero();
    }
  }

  /**
   * Lets all threads, none of them the allocating one, walk over the buffers in step.
   *
   * @return how often the action was true for each buffer
   */
  private static int[] race(List<ByteBuf> buffers, Predicate<ByteBuf> action) throws Exception {
    AtomicIntegerArray count = new AtomicIntegerArray(buffers.size());
    AtomicInteger arrivals = new AtomicInteger();
    Callable<Void> walk =
        () -> {
          for (int i = 0; i < buffers.size(); i++) {
            int expected = (i + 1) * THREADS;
            arrivals.incrementAndGet();
            // Threads that have to be woken up come one after the other.
            Spin.until(() -> arrivals.get() >= expected);
            if (action.test(buffers.get(i))) {
              count.incrementAndGet(i);
            }
          }
          return null;
        };
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      for (Future<Void> future : executor.invokeAll(Collections.nCopies(THREADS, walk))) {
        future.get();
      }
    } finally {
      executor.shutdownNow();
    }
    return IntStream.range(0, buffers.size()).map(count::get).toArray();
  }
}
