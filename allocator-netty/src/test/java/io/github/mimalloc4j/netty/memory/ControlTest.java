package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Patience.await;
import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Spin;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code trim}, {@code close}, and what is kept. */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class ControlTest {

  private static final int[] SIZES = {1, 100, 1000, 16_709, 60_000, 200_000, 3 << 20, 9 << 20};

  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorWithoutUpkeep();

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#available")
  void trimReturnsTheBytesThatWentBack(ThreadKind kind) {
    kind.call(
        () -> {
          allocateAll(allocator).forEach(ByteBuf::release);
          long used = used(allocator, true) + used(allocator, false);
          assertThat(used).isPositive();
          assertThat(allocator.trim()).isEqualTo(used);
          assertThat(allocator.trim()).isZero();
          assertThat(used(allocator, true) + used(allocator, false)).isZero();
          return null;
        });
  }

  @Test
  void trimReachesOtherEventLoops() {
    MiMallocByteBufAllocator patient =
        MiMallocByteBufAllocator.builder().trimDelayMillis(3_600_000).build();
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1)) {
      loops.call(
          () -> {
            allocateAll(patient).forEach(ByteBuf::release);
            return null;
          });
      patient.trim();
      await()
          .untilAsserted(
              () -> {
                patient.trim();
                assertThat(used(patient, true) + used(patient, false)).isZero();
              });
    }
  }

  /** Nothing else would give back what an event loop has trimmed. */
  @Test
  void withoutADelayOneTrimReachesOtherEventLoops() {
    MiMallocByteBufAllocator idle = MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.NIO_EVENT_LOOP, 1)) {
      loops.call(
          () -> {
            allocateAll(idle).forEach(ByteBuf::release);
            return null;
          });
      assertThat(used(idle, true)).isPositive();
      assertThat(used(idle, false)).isPositive();
      idle.trim();
      await().untilAsserted(() -> assertThat(used(idle, true) + used(idle, false)).isZero());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4 << 20, 10 << 20})
  void theRetainedTargetIsKept(long target) {
    MiMallocByteBufAllocator retaining =
        MiMallocByteBufAllocator.builder().retainedTarget(target).trimDelayMillis(20).build();
    List<ByteBuf> live = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      live.add(retaining.directBuffer(1000));
    }
    live.forEach(ByteBuf::release);
    await().untilAsserted(() -> assertThat(used(retaining, true)).isLessThanOrEqualTo(target));
    // As much as fits: segments are no larger than a sixteenth of what was used, here 6 MiB.
    assertThat(used(retaining, true)).isGreaterThanOrEqualTo(target - (2 << 20));
    retaining.trim();
    assertNothingHeld(retaining);
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#available")
  void aClosedAllocatorRefusesButItsBuffersLiveOn(ThreadKind kind) throws IOException {
    List<ByteBuf> live = new ArrayList<>();
    kind.call(
        () -> {
          live.addAll(allocateAll(allocator));
          allocator.close();
          assertRefusesAll();
          return null;
        });
    assertRefusesAll();
    assertSound(allocator);
    for (int i = 0; i < live.size(); i++) {
      ByteBuf buffer = live.get(i);
      Stamp.check(buffer, i);
      assertThatThrownBy(() -> buffer.capacity(20 << 20)).hasMessageContaining("closed");
      Stamp.check(buffer, i);
      buffer.capacity(buffer.capacity() / 2);
    }
    for (ByteBuf buffer : live) {
      // A stream needs an array in between.
      int length = buffer.capacity();
      InputStream in = new ByteArrayInputStream(new byte[length + 1]);
      assertThat(buffer.setBytes(0, in, length)).isEqualTo(length);
      buffer.getBytes(0, OutputStream.nullOutputStream(), length);
      assertThat(buffer.release()).isTrue();
    }
    // Not even a trim: each segment went back with its last buffer.
    assertThat(used(allocator, true)).isZero();
    assertThat(used(allocator, false)).isZero();
    allocator.close();
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void closingReachesEventLoops(ThreadKind kind) {
    try (ThreadKind.Group loops = new ThreadKind.Group(kind, 2)) {
      List<ByteBuf> live = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        live.addAll(loops.call(() -> allocateAll(allocator)));
      }
      allocator.close();
      for (int i = 0; i < 2; i++) {
        loops.call(
            () -> {
              assertRefusesAll(); // the task that told the loop came before this one
              return null;
            });
      }
      live.forEach(ByteBuf::release);
      assertThat(used(allocator, true)).isZero();
      assertThat(used(allocator, false)).isZero();
    }
  }

  /** The code of an executor may close the allocator, and be refused, while upkeep is requested. */
  @Test
  void aThreadInTheMiddleOfAnAllocationDoesNotLeave() throws Exception {
    MiMallocByteBufAllocator closing = Idle.newAllocatorThatRetainsNothing();
    AtomicReference<Runnable> once = new AtomicReference<>(() -> {});
    AtomicReference<Boolean> stayed = new AtomicReference<>();
    DefaultEventLoop executor =
        new DefaultEventLoop() {
          @Override
          public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            once.getAndSet(() -> {}).run();
            return super.schedule(task, delay, unit);
          }
        };
    try {
      ByteBuf live = executor.submit(() -> closing.directBuffer(100)).get();
      Heap<?> heap = ((MiMallocByteBuf) live).page().heap();
      once.set(
          () -> {
            closing.close();
            assertThatThrownBy(() -> closing.directBuffer(9 << 20)).hasMessageContaining("closed");
            stayed.set(heap.isOwner(Thread.currentThread()));
          });
      await()
          .until(
              () -> {
                executor.submit(() -> closing.directBuffer(40_000).release()).get();
                return stayed.get() != null;
              });
      assertThat(stayed).hasValue(true);
      await().untilAsserted(() -> assertThat(heap.owner()).isNull()); // once it was told
      live.release();
      assertNothingHeld(closing);
    } finally {
      executor.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  /** Threads that allocate and release while it happens see either a buffer or the refusal. */
  @Test
  void closingWhileOthersAllocateLosesNothing() {
    try (ThreadKind.Group loops = new ThreadKind.Group(ThreadKind.EVENT_EXECUTOR, 2)) {
      for (int round = 0; round < 50; round++) {
        MiMallocByteBufAllocator closing = Idle.newAllocatorWithoutUpkeep();
        List<ThreadKind.Running<Integer>> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          running.add(ThreadKind.PLAIN.start(() -> repeat(() -> batch(closing))));
          running.add(ThreadKind.PLAIN.start(() -> repeat(() -> loops.call(() -> batch(closing)))));
        }
        Spin.until(() -> used(closing, true) > 0);
        closing.close();
        running.forEach(ThreadKind.Running::end);
        loops.call(() -> null);
        loops.call(() -> null); // both have run what told them
        assertThat(used(closing, true)).isZero();
        assertThat(used(closing, false)).isZero();
      }
    }
  }

  /** Containers close what is an AutoCloseable, and look for methods with such names besides. */
  @Test
  void aContainerThatClosesItsBeansLeavesTheDefaultUsable() throws Exception {
    MiMallocByteBufAllocator own = new MiMallocByteBufAllocator(true);
    for (Object bean : List.of(MiMallocByteBufAllocator.DEFAULT, own)) {
      if (bean instanceof AutoCloseable closeable) {
        closeable.close();
      }
      for (Method method : bean.getClass().getMethods()) {
        if (method.getParameterCount() == 0
            && List.of("close", "shutdown", "destroy").contains(method.getName())) {
          method.invoke(bean);
        }
      }
    }
    assertUsable(MiMallocByteBufAllocator.DEFAULT);
    assertThatThrownBy(() -> own.directBuffer(1)).isInstanceOf(IllegalStateException.class);
  }

  private static void assertUsable(MiMallocByteBufAllocator allocator) {
    assertThat(allocator.directBuffer(100).release()).isTrue();
    assertThat(allocator.heapBuffer(100).release()).isTrue();
  }

  private static int repeat(Callable<Boolean> batch) throws Exception {
    int count = 0;
    while (batch.call()) {
      count++;
    }
    return count;
  }

  /** Returns false if the allocator refused. */
  private static boolean batch(MiMallocByteBufAllocator allocator) {
    List<ByteBuf> live = new ArrayList<>();
    boolean open = true;
    try {
      for (int i = 0; i < 50; i++) {
        ByteBuf buffer = allocate(allocator, i % 2 == 0, 1 + i * 4001);
        Stamp.write(buffer, i);
        live.add(buffer);
      }
    } catch (IllegalStateException closed) {
      assertThat(closed).hasMessageContaining("closed");
      open = false;
    }
    for (int i = 0; i < live.size(); i++) {
      Stamp.check(live.get(i), i);
      assertThat(live.get(i).release()).isTrue();
    }
    return open;
  }

  private void assertRefusesAll() {
    for (int size : SIZES) {
      for (boolean direct : new boolean[] {true, false}) {
        assertThatThrownBy(() -> allocate(allocator, direct, size))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
      }
    }
  }

  private static List<ByteBuf> allocateAll(MiMallocByteBufAllocator allocator) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (int size : SIZES) {
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuf buffer = allocate(allocator, direct, size);
        Stamp.write(buffer, buffers.size());
        buffers.add(buffer);
      }
    }
    return buffers;
  }
}
