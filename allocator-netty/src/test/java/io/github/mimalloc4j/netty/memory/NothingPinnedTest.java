package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.BufferMemory;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Neither upkeep nor live buffers keep anything of those who allocated. */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class NothingPinnedTest {

  private final MiMallocByteBufAllocator allocator = Idle.newAllocator();
  private final List<ByteBuf> live = new ArrayList<>();

  @Test
  void theUpkeepThreadKeepsNoClassLoader() {
    OtherJvm.run(PinningPrograms.OfAThread.class).assertSucceeded();
  }

  @Test
  void theUpkeepThreadKeepsNoThreadGroup() {
    OtherJvm.run(PinningPrograms.OfAThreadGroup.class).assertSucceeded();
  }

  @Test
  void nothingKeepsTheClassLoaderOfWhoeverIsFirst() {
    OtherJvm.run(PinningPrograms.OfTheFirst.class).assertSucceeded();
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#available")
  void liveBuffersKeepNoEndedThread(ThreadKind kind) {
    List<WeakReference<Thread>> threads = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      threads.add(allocateOnThreadThatEnds(kind));
    }
    Patience.awaitCleared(threads);
    live.forEach(ByteBuf::release);
    assertNothingHeld(allocator);
  }

  private WeakReference<Thread> allocateOnThreadThatEnds(ThreadKind kind) {
    return kind.call(
        () -> {
          allocateSome();
          return new WeakReference<>(Thread.currentThread());
        });
  }

  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void liveBuffersKeepNoTerminatedExecutor(ThreadKind kind) {
    List<WeakReference<Object>> executors = new ArrayList<>();
    for (int n = 0; n < 5; n++) {
      executors.add(allocateOnGroupThatTerminates(kind));
    }
    Patience.awaitCleared(executors);
    live.forEach(ByteBuf::release);
    assertNothingHeld(allocator);
  }

  private WeakReference<Object> allocateOnGroupThatTerminates(ThreadKind kind) {
    try (ThreadKind.Group group = new ThreadKind.Group(kind, 1)) {
      group.call(
          () -> {
            allocateSome();
            return null;
          });
      return new WeakReference<>(group.executors.iterator().next());
    }
  }

  /**
   * A program may refer to a buffer long after its release: in a failed promise, in the trace of a
   * request. Its memory must not stay for that.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 20_000, 300_000, 2 << 20, 20 << 20})
  void releasedBuffersKeepNoMemory(int bytes) {
    List<ByteBuf> released = new ArrayList<>();
    List<WeakReference<Object>> memory = new ArrayList<>();
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuf grown = direct ? allocator.directBuffer(bytes) : allocator.heapBuffer(bytes);
      memory.addAll(usedMemory(grown));
      grown.capacity(bytes + bytes / 2 + 1);
      memory.addAll(usedMemory(grown));
      released.addAll(List.of(grown, grown.slice(), grown.asReadOnly()));
      grown.release();
    }
    assertThat(memory).isNotEmpty();
    assertNothingHeld(allocator);
    Patience.awaitCleared(memory);
    assertThat(released).allMatch(buffer -> buffer.refCnt() == 0);
  }

  /** What only a garbage collection frees of a buffer's memory; after the buffer has used it. */
  private static List<WeakReference<Object>> usedMemory(ByteBuf buffer) {
    assertThat(buffer.internalNioBuffer(0, 1).remaining()).isOne();
    BufferMemory memory = ((MiMallocByteBuf) buffer).memory();
    List<WeakReference<Object>> found = new ArrayList<>();
    if (memory.isFreedByCollector()) {
      found.add(new WeakReference<>(memory.buffer()));
    }
    if (buffer.hasArray()) {
      found.add(new WeakReference<>(buffer.array()));
    }
    return found;
  }

  /** In one page or more of either kind of memory, and a large one. */
  private void allocateSome() {
    for (int bytes = 100; bytes < 300_000; bytes *= 5) {
      live.add(allocator.directBuffer(bytes));
      live.add(allocator.heapBuffer(bytes));
    }
  }
}
