package io.github.mimalloc4j.blockhound;

import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.core.memory.Pause;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import io.github.mimalloc4j.netty.system.ResidentMemory;
import io.github.mimalloc4j.netty.threads.BusyUpkeep;
import io.github.mimalloc4j.netty.threads.UpkeepThread;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Programs that BlockHound watches, each in a JVM of its own. */
final class WatchedPrograms {

  private static final int LOOPS = 4;

  private WatchedPrograms() {}

  /** Event loops that do everything at the same time, with the integrations that are found. */
  static final class Contention {

    /** Also those that somebody catches. */
    private static final Queue<Throwable> refused = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) {
      BlockHound.builder()
          .loadIntegrations()
          .blockingMethodCallback(
              method -> {
                BlockingOperationError error = new BlockingOperationError(method);
                refused.add(error);
                throw error;
              })
          .install();
      MiMallocByteBufAllocator allocator = newAllocatorOnALoop();
      shareABuffer(allocator);
      beginAndEndTogether(allocator);
      shareHeaps(allocator);
      scheduleUpkeep();
      assertThat(refused).isEmpty();
      assertNothingHeld(allocator);
    }

    private static MiMallocByteBufAllocator newAllocatorOnALoop() {
      return ThreadKind.NIO_EVENT_LOOP.call(
          () -> MiMallocByteBufAllocator.builder().maxSharedThreadHeaps(2).build());
    }

    private static void shareABuffer(MiMallocByteBufAllocator allocator) {
      ByteBuf buffer = allocator.buffer(100);
      together(
          ThreadKind.NIO_EVENT_LOOP,
          loop -> {
            for (int i = 0; i < 50_000; i++) {
              buffer.retain();
              buffer.release();
            }
          });
      assertThat(buffer.refCnt()).isOne();
      buffer.release();
    }

    /** Each loop releases what another one has allocated. The heaps are abandoned in the end. */
    private static void beginAndEndTogether(MiMallocByteBufAllocator allocator) {
      for (int round = 0; round < 40; round++) {
        List<Queue<ByteBuf>> handedOver = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
          handedOver.add(new ConcurrentLinkedQueue<>());
        }
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger filled = new AtomicInteger();
        together(
            ThreadKind.NIO_EVENT_LOOP,
            loop -> {
              meet(begun);
              for (int bytes = 16; bytes < 12 << 20; bytes = bytes * 3 + 1) {
                handedOver.get(loop).add(allocator.directBuffer(bytes));
                handedOver.get((loop + 1) % LOOPS).add(allocator.heapBuffer(bytes));
              }
              meet(filled);
              handedOver.get((loop + 2) % LOOPS).forEach(ByteBuf::release);
            });
      }
    }

    /** Netty's threads that run no executor share heaps. */
    private static void shareHeaps(MiMallocByteBufAllocator allocator) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < LOOPS; i++) {
        Thread thread = new FastThreadLocalThread(() -> allocateMany(allocator));
        thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
        threads.add(thread);
      }
      threads.forEach(Thread::start);
      threads.forEach(ThreadKind::join);
      assertThat(failure.get()).isNull();
    }

    private static void allocateMany(MiMallocByteBufAllocator allocator) {
      ByteBuf[] live = new ByteBuf[64];
      for (int i = 0; i < 100_000; i++) {
        int place = i % live.length;
        if (live[place] != null) {
          live[place].release();
        }
        live[place] = allocator.directBuffer(16 << i % 8);
      }
      for (ByteBuf buffer : live) {
        buffer.release();
      }
    }

    private static void scheduleUpkeep() {
      together(
          ThreadKind.NIO_EVENT_LOOP,
          loop -> {
            for (int i = 0; i < 5_000; i++) {
              UpkeepThread.execute(() -> {}, 0);
            }
          });
    }

    /** Waits for all without a call that would be refused. */
    private static void meet(AtomicInteger arrived) {
      arrived.incrementAndGet();
      while (arrived.get() < LOOPS) {
        assertThat(refused.size()).isZero();
      }
    }

    private static void together(ThreadKind kind, Task task) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < LOOPS; i++) {
        int loop = i;
        tasks.add(
            () -> {
              task.run(loop);
              return null;
            });
      }
      Together.on(kind, tasks);
    }

    private interface Task {
      void run(int loop);
    }
  }

  /** Each wait of the library by itself, with the integrations that are found. */
  static final class AllowedWaits {

    public static void main(String[] args) throws Exception {
      BlockHound.install();
      for (Wait wait : Wait.values()) {
        ThreadKind.NIO_EVENT_LOOP.call(
            () -> {
              assertRefused(wait + ", before", () -> Thread.sleep(1));
              assertThatCode(wait.call).as(wait.toString()).doesNotThrowAnyException();
              assertRefused(wait + ", after", () -> Thread.sleep(1));
              return null;
            });
      }
      assertQueueOfUpkeepAllowed();
      ThreadKind.NIO_EVENT_LOOP.call(
          () -> {
            assertRefused("yield", Thread::yield);
            assertRefused("hint", Thread::onSpinWait);
            assertRefused("park", () -> LockSupport.parkNanos(1));
            return null;
          });
    }

    private static void assertQueueOfUpkeepAllowed() throws InterruptedException {
      BusyUpkeep upkeep = new BusyUpkeep();
      AtomicInteger runs = new AtomicInteger();
      ThreadKind.Running<Void> loop =
          ThreadKind.NIO_EVENT_LOOP.start(
              () -> {
                upkeep.execute(runs::incrementAndGet);
                return null;
              });
      Patience.await()
          .until(
              () ->
                  loop.thread().getState() == Thread.State.WAITING
                      || loop.thread().getState() == Thread.State.TERMINATED);
      upkeep.end();
      loop.end();
      Patience.await().until(() -> runs.get() == 1);
    }
  }

  /** The same with all integrations that are found but this library's. */
  static final class RefusedWaits {

    public static void main(String[] args) throws Exception {
      BlockHound.Builder builder = BlockHound.builder();
      for (BlockHoundIntegration found : ServiceLoader.load(BlockHoundIntegration.class)) {
        if (!(found instanceof MiMallocBlockHoundIntegration)) {
          builder.with(found);
        }
      }
      builder.install();
      for (Wait wait : Wait.values()) {
        ThreadKind.NIO_EVENT_LOOP.call(
            () -> {
              assertRefused(wait.toString(), wait.call);
              return null;
            });
      }
      BusyUpkeep upkeep = new BusyUpkeep();
      ThreadKind.NIO_EVENT_LOOP.call(
          () -> {
            assertRefused("queue of upkeep", () -> upkeep.execute(() -> {}));
            return null;
          });
    }
  }

  /** What the library may do on an event loop. */
  private enum Wait {
    HINT(Pause::spin),
    SPIN(() -> Pause.after(0)),
    YIELD(() -> Pause.after(20)),
    PARK(() -> Pause.after(1_000)),
    SLEEP(Pause::sleep),
    READ_RESIDENT_MEMORY(ResidentMemory::bytes);

    private final ThrowingCallable call;

    Wait(ThrowingCallable call) {
      this.call = call;
    }
  }

  private static void assertRefused(String what, ThrowingCallable call) {
    assertThatThrownBy(call).as(what).isInstanceOf(BlockingOperationError.class);
  }
}
