package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Spin;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In a steady state, no operation allocates on the Java heap. Counted exactly, by the JVM, for the
 * thread that operates; code that is not compiled yet counts the same.
 */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class SteadyStateAllocationTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int OPERATIONS = 100_000;
  private static final int LIVE = 512;
  private static final int WINDOWS = 12;

  /** Upkeep is for what is no longer used; on a busy machine it would come in each window. */
  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorWithoutUpkeep();

  interface Operation {
    void run() throws Exception;
  }

  /**
   * The bytes that so many operations allocate on this thread in a steady state: the least of
   * several windows. A thread is charged with what the JVM needs to compile its methods, such as
   * the strings that they name; that comes once for each. What comes with the operations is in
   * every window, if it is one object in a whole window.
   */
  private static long bytesAllocated(int operations, Operation operation) throws Exception {
    long least = Long.MAX_VALUE;
    for (int window = 0; window < WINDOWS; window++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < operations; i++) {
        operation.run();
      }
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
      least = window == 0 ? least : Math.min(least, bytes); // the first one makes the blocks
    }
    return least;
  }

  /** A generator that is no object of the JDK's, which might allocate. */
  private static final class Numbers {
    private long state = 88172645463325252L;

    int below(int bound) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      return (int) ((state >>> 33) % bound);
    }

    /** Mostly messages of some hundred bytes, some of a few KiB. */
    int size() {
      int kind = below(100);
      return 1 + below(kind < 80 ? 512 : kind < 97 ? 4096 : 20_000);
    }
  }

  /** The count is worth something only if it sees an allocation. */
  @Test
  void theCountSeesASingleObject() throws Exception {
    Object[] sink = new Object[1];
    assertThat(bytesAllocated(1000, () -> sink[0] = new Object())).isGreaterThanOrEqualTo(8 * 1000);
  }

  @ParameterizedTest
  @CsvSource({
    "NIO_EVENT_LOOP, true",
    "NIO_EVENT_LOOP, false",
    "EVENT_EXECUTOR, true",
    "PLAIN, true",
    "PLAIN, false"
  })
  void mixedSizes(ThreadKind kind, boolean direct) {
    long bytes =
        kind.call(
            () -> {
              Numbers numbers = new Numbers();
              ByteBuf[] live = new ByteBuf[LIVE];
              fill(live, numbers, direct);
              // A page that becomes empty may go back, and its successor has new objects: a state
              // is steady when every block that the mix ever needs at once has been made.
              ByteBuf[] reserve = new ByteBuf[LIVE];
              fill(reserve, numbers, direct);
              long allocated =
                  bytesAllocated(
                      OPERATIONS,
                      () -> {
                        int index = numbers.below(LIVE);
                        live[index].release();
                        live[index] = allocate(allocator, direct, live[index].capacity());
                      });
              releaseAll(live);
              releaseAll(reserve);
              return allocated;
            });
    assertThat(bytes).isZero();
    assertNothingHeld(allocator);
  }

  private void fill(ByteBuf[] live, Numbers numbers, boolean direct) {
    for (int i = 0; i < live.length; i++) {
      live[i] = allocate(allocator, direct, numbers.size());
    }
  }

  private static void releaseAll(ByteBuf[] buffers) {
    for (ByteBuf buffer : buffers) {
      buffer.release();
    }
  }

  @ParameterizedTest
  @CsvSource({"200, true", "513, true", "1434, true", "8192, true", "200, false", "2048, false"})
  void largeBuffersOfOneSize(int kib, boolean direct) {
    for (ThreadKind kind : new ThreadKind[] {ThreadKind.EVENT_EXECUTOR, ThreadKind.PLAIN}) {
      long bytes =
          kind.call(
              () ->
                  bytesAllocated(
                      OPERATIONS, () -> allocate(allocator, direct, kib << 10).release()));
      assertThat(bytes).as(kind.name()).isZero();
    }
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void internalNioBuffers(boolean direct) {
    long bytes =
        ThreadKind.EVENT_EXECUTOR.call(
            () -> {
              Numbers numbers = new Numbers();
              return bytesAllocated(
                  OPERATIONS,
                  () -> {
                    ByteBuf buffer = allocate(allocator, direct, 4096);
                    int index = numbers.below(1000);
                    buffer.internalNioBuffer(index, 100).put((byte) 1);
                    buffer.release();
                  });
            });
    assertThat(bytes).isZero();
    assertNothingHeld(allocator);
  }

  /** A stream takes nothing but arrays. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void streams(boolean direct) {
    int length = 20_000;
    long bytes =
        ThreadKind.EVENT_EXECUTOR.call(
            () -> {
              InputStream in = new ByteArrayInputStream(new byte[length]);
              OutputStream out = OutputStream.nullOutputStream();
              return bytesAllocated(
                  OPERATIONS / 10,
                  () -> {
                    ByteBuf buffer = allocate(allocator, direct, length);
                    in.reset();
                    buffer.writeBytes(in, length);
                    buffer.readBytes(out, length);
                    buffer.release();
                  });
            });
    assertThat(bytes).isZero();
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void retainReleaseAndGrowthWithinTheBlock(boolean direct) {
    long bytes =
        ThreadKind.EVENT_EXECUTOR.call(
            () ->
                bytesAllocated(
                    OPERATIONS,
                    () -> {
                      ByteBuf buffer = allocate(allocator, direct, 1000);
                      buffer.retain();
                      buffer.capacity(1024).writeLong(1);
                      buffer.release();
                      buffer.release();
                    }));
    assertThat(bytes).isZero();
    assertNothingHeld(allocator);
  }

  /** Owner and consumer take turns by spinning, which allocates nothing; both count. */
  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void releasesByAnotherThread(ThreadKind owner) {
    int batches = 500;
    AtomicReference<ByteBuf[]> handed = new AtomicReference<>();
    BooleanSupplier given = () -> handed.get() != null; // made here, for these objects would count
    BooleanSupplier taken = () -> handed.get() == null;
    ThreadKind.Running<Long> consumer =
        ThreadKind.EVENT_EXECUTOR.start(
            () ->
                bytesAllocated(
                    batches,
                    () -> {
                      Spin.until(given);
                      releaseAll(handed.get());
                      handed.set(null);
                    }));
    long bytes =
        owner.call(
            () -> {
              ByteBuf[] buffers = new ByteBuf[64];
              int[] sizes = new int[buffers.length];
              Numbers numbers = new Numbers();
              for (int i = 0; i < sizes.length; i++) {
                sizes[i] = i % 16 == 0 ? 200_000 : numbers.size();
              }
              return bytesAllocated(
                  batches,
                  () -> {
                    for (int i = 0; i < buffers.length; i++) {
                      buffers[i] = allocator.directBuffer(sizes[i]);
                    }
                    handed.set(buffers);
                    Spin.until(taken);
                  });
            });
    assertThat(consumer.end()).as("the consumer").isZero();
    assertThat(bytes).as("the owner").isZero();
    assertNothingHeld(allocator);
  }

  /** The JDK may allocate for a read or write: a bare buffer of the same origin shows how much. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void socketReadsAndWrites(boolean direct) {
    int operations = 2_000;
    int length = 1024;
    ThreadKind.NIO_EVENT_LOOP.call(
        () -> {
          try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel out = SocketChannel.open(server.getLocalAddress());
                SocketChannel in = server.accept()) {
              long control = control(out, in, direct, length, operations);
              long ours =
                  bytesAllocated(
                      operations,
                      () -> {
                        ByteBuf sent = allocate(allocator, direct, length);
                        sent.writerIndex(length);
                        while (sent.isReadable()) {
                          sent.readBytes(out, sent.readableBytes());
                        }
                        sent.release();
                        ByteBuf received = allocate(allocator, direct, length);
                        while (received.isWritable()) {
                          received.writeBytes(in, received.writableBytes());
                        }
                        received.release();
                      });
              assertThat(ours).isLessThanOrEqualTo(control);
            }
          }
          return null;
        });
    assertNothingHeld(allocator);
  }

  private static long control(
      SocketChannel out, SocketChannel in, boolean direct, int length, int operations)
      throws Exception {
    ByteBuf memory = new UnpooledByteBufAllocator(true).directBuffer(2 * length, 2 * length);
    try {
      ByteBuffer whole = direct ? memory.nioBuffer(0, 2 * length) : ByteBuffer.allocate(2 * length);
      ByteBuffer bare = whole.slice(0, length);
      return bytesAllocated(
          operations,
          () -> {
            bare.clear();
            while (bare.hasRemaining()) {
              out.write(bare);
            }
            bare.clear();
            while (bare.hasRemaining()) {
              in.read(bare);
            }
          });
    } finally {
      memory.release();
    }
  }
}
