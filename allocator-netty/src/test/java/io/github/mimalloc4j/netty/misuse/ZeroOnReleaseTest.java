package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.StackEnd;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is left in memory of the bytes of released buffers. It is looked at through views that
 * outlive the buffers; memory of direct buffers above 8 MiB is gone with them.
 */
@ExtendWith(LeakDetectionOff.class)
class ZeroOnReleaseTest {

  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder()
          .zeroOnRelease(true)
          .trimDelayMillis(TimeUnit.HOURS.toMillis(1)) // what is looked at stays mapped
          .build();

  @ParameterizedTest
  @CsvSource({
    "1, true, EVENT_EXECUTOR, false",
    "100, true, EVENT_EXECUTOR, false",
    "100, true, EVENT_EXECUTOR, true",
    "100, true, PLAIN, false",
    "100, false, EVENT_EXECUTOR, false",
    "100, false, EVENT_EXECUTOR, true",
    "16709, true, EVENT_EXECUTOR, true",
    "200000, true, EVENT_EXECUTOR, false",
    "200000, false, PLAIN, true",
    "3000000, true, EVENT_EXECUTOR, true",
    "9000000, false, EVENT_EXECUTOR, true"
  })
  void nothingIsLeftOfAReleasedBuffer(
      int bytes, boolean direct, ThreadKind kind, boolean releasedElsewhere) {
    kind.call(
        () -> {
          ByteBuf buffer = newSecret(direct, bytes);
          ByteBuffer view = viewOf(buffer);
          buffer.retain().release();
          assertThat(secretBytes(view)).isEqualTo(bytes);
          if (releasedElsewhere) {
            ThreadKind.PLAIN.call(buffer::release);
          } else {
            buffer.release();
          }
          assertThat(secretBytes(view)).isZero();
          return null;
        });
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @CsvSource({"100, 5000, true", "100, 5000, false", "100, 300000, true", "200000, 900000, true"})
  void nothingIsLeftWhereAGrownBufferWas(int bytes, int newCapacity, boolean direct) {
    ByteBuf buffer = newSecret(direct, bytes);
    ByteBuffer before = viewOf(buffer);
    buffer.capacity(newCapacity);
    ByteBuffer after = viewOf(buffer);
    assertThat(secretBytes(before)).isZero();
    assertThat(secretBytes(after)).isEqualTo(bytes);
    buffer.release();
    assertThat(secretBytes(after)).isZero();
    assertNothingHeld(allocator);
  }

  /** As after a growth whose copy failed halfway. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void nothingIsLeftInABlockThatIsPutBack(boolean direct) {
    ByteBuf buffer = newSecret(direct, 1000);
    ByteBuffer view = viewOf(buffer);
    ((CountedBlock) buffer).putBack();
    assertThat(secretBytes(view)).isZero();
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void nothingIsLeftOfABufferThatHadBeenLarger(boolean direct) {
    ByteBuf buffer = newSecret(direct, 1000);
    ByteBuffer view = viewOf(buffer);
    buffer.capacity(10);
    buffer.release();
    assertThat(secretBytes(view)).isZero();
    assertNothingHeld(allocator);
  }

  /** A stream needs an array: one of the Java heap if the allocator has none any more. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void nothingIsLeftInTheArrayOfAStream(boolean closed) throws IOException {
    ByteBuf buffer = newSecret(true, 20_000);
    if (closed) {
      allocator.close();
    }
    List<byte[]> arrays = new ArrayList<>();
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int value) {
            throw new AssertionError("not byte by byte");
          }

          @Override
          public void write(byte[] array, int offset, int length) {
            assertThat(secretBytes(ByteBuffer.wrap(array, offset, length).slice())).isPositive();
            arrays.add(array);
          }
        };
    buffer.readBytes(out, 20_000);
    InputStream in =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("not byte by byte");
          }

          @Override
          public int read(byte[] array, int offset, int length) {
            Arrays.fill(array, offset, offset + length, (byte) 'S');
            arrays.add(array);
            return length;
          }
        };
    buffer.clear().writeBytes(in, 20_000);
    assertThat(arrays).hasSizeGreaterThan(1);
    assertThat(arrays).allMatch(array -> secretBytes(ByteBuffer.wrap(array)) == 0);
    buffer.release();
    assertNothingHeld(allocator);
  }

  /** Erasing takes more stack than giving back does: a block that was not erased stays away. */
  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void nothingIsReusedWhereTheStackEndsWithinARelease(ThreadKind kind) {
    kind.call(
        () -> {
          List<ByteBuf> buffers = new ArrayList<>();
          for (int i = 0; i < 3000; i++) {
            buffers.add(newSecret(true, 100));
          }
          newSecret(true, 100).release(); // where there is stack to load classes
          List<ByteBuf> failed = new ArrayList<>();
          Iterator<ByteBuf> next = buffers.iterator();
          StackEnd.run(() -> releaseSome(next, failed));
          // Whether one was cut short after its count was taken, is up to the compiler.
          assertThat(failed).as("releases that failed").isNotEmpty();
          Set<ByteBuf> reused = Collections.newSetFromMap(new IdentityHashMap<>());
          for (int i = 0; i < buffers.size(); i++) {
            ByteBuf buffer = allocate(allocator, true, 100);
            assertThat(secretBytes(viewOf(buffer))).isZero();
            assertThat(reused.add(buffer)).as("it is in use").isTrue();
          }
          allocator.trim(); // looks at pages that nobody could post
          assertSound(allocator);
          reused.forEach(ByteBuf::release);
          return null;
        });
  }

  private static void releaseSome(Iterator<ByteBuf> buffers, List<ByteBuf> failed) {
    for (int i = 0; i < 100 && buffers.hasNext(); i++) {
      ByteBuf buffer = null;
      try {
        buffer = buffers.next();
        release(buffer, i);
      } catch (StackOverflowError e) {
        if (buffer != null) {
          failed.add(buffer);
        }
      }
    }
  }

  private static void release(ByteBuf buffer, int frames) {
    if (frames > 0) {
      release(buffer, frames - 1);
    } else {
      buffer.release();
    }
  }

  private ByteBuf newSecret(boolean direct, int bytes) {
    ByteBuf buffer = allocate(allocator, direct, bytes);
    byte[] secret = new byte[bytes];
    Arrays.fill(secret, (byte) 'S');
    return buffer.writeBytes(secret);
  }

  private static ByteBuffer viewOf(ByteBuf buffer) {
    return buffer.internalNioBuffer(0, 0).duplicate().clear();
  }

  private static int secretBytes(ByteBuffer view) {
    int count = 0;
    for (int i = 0; i < view.capacity(); i++) {
      count += view.get(i) == 'S' ? 1 : 0;
    }
    return count;
  }
}
