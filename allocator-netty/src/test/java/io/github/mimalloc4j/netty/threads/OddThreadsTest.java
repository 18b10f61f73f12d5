package io.github.mimalloc4j.netty.threads;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.core.heap.Heap;
import io.github.mimalloc4j.core.statistics.MemoryStatistics;
import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.memory.Idle;
import io.github.mimalloc4j.netty.support.CountingEventLoop;
import io.github.mimalloc4j.netty.support.Deadline;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.Patience;
import io.github.mimalloc4j.netty.support.Stamp;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.ThrowingThreadLocals;
import io.github.mimalloc4j.netty.support.UpkeepFailures;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GenericFutureListener;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that end, or lose their thread-locals, as no well-behaved one does. */
@ExtendWith({LeakDetectionOff.class, UpkeepFailures.class})
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
@Tag("same-without-unsafe")
class OddThreadsTest {

  /** Keeps nothing: each byte that does not come back by itself shows. */
  private final MiMallocByteBufAllocator allocator = Idle.newAllocatorThatRetainsNothing();

  private final List<ByteBuf> live = Collections.synchronizedList(new ArrayList<>());

  static Stream<ThreadKind> kinds() {
    return Stream.of(ThreadKind.available());
  }

  private void allocateSome() {
    allocateSomeFrom(allocator);
  }

  private void allocateSomeFrom(MiMallocByteBufAllocator source) {
    for (int bytes = 100; bytes < 400_000; bytes *= 3) {
      for (boolean direct : new boolean[] {true, false}) {
        ByteBuf buffer = allocate(source, direct, bytes);
        Stamp.write(buffer, bytes);
        live.add(buffer);
      }
    }
  }

  private static void checkAndRelease(ByteBuf buffer) {
    Stamp.check(buffer, buffer.capacity());
    assertThat(buffer.release()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aThreadDiesBetweenAllocationAndRelease(ThreadKind kind) {
    for (int n = 0; n < 20; n++) {
      ThreadKind.join(
          kind.launch(
              () -> {
                Thread.currentThread().setUncaughtExceptionHandler((thread, exception) -> {});
                allocateSome();
                throw new IllegalStateException("as planned");
              }));
    }
    assertThat(live).as("of threads that died later").hasSize(20 * 16);
    assertSound(allocator);
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** Not a task of it, which may throw, but the loop itself: Netty ends the executor then. */
  @Test
  void anEventLoopDiesBetweenAllocationAndRelease() {
    for (int n = 0; n < 20; n++) {
      SingleThreadEventExecutor executor =
          new SingleThreadEventExecutor(null, new DefaultThreadFactory("dying", true), true) {
            @Override
            protected void run() {
              takeTask().run();
              throw new IllegalStateException("as planned");
            }
          };
      executor.execute(this::allocateSome);
      Future<?> end = executor.terminationFuture();
      assertThat(end.awaitUninterruptibly(1, TimeUnit.MINUTES)).isTrue();
      assertThat(end.cause()).hasMessage("as planned");
    }
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** They would pile up on an executor that is suspended again and again. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noListenerIsLeftOfAHeapThatItsThreadHasLeft(boolean closed) throws Exception {
    AtomicInteger listeners = new AtomicInteger();
    Promise<Object> termination =
        new DefaultPromise<>(GlobalEventExecutor.INSTANCE) {
          @Override
          public Promise<Object> addListener(
              GenericFutureListener<? extends Future<? super Object>> listener) {
            listeners.incrementAndGet();
            return super.addListener(listener);
          }

          @Override
          public Promise<Object> removeListener(
              GenericFutureListener<? extends Future<? super Object>> listener) {
            listeners.decrementAndGet();
            return super.removeListener(listener);
          }
        };
    DefaultEventLoop loop =
        new DefaultEventLoop(
            (ThreadFactory) Thread::new) { // its threads may keep their thread-locals
          @Override
          public Future<?> terminationFuture() {
            return termination;
          }
        };
    loop.submit(this::allocateSome).get();
    assertThat(listeners).as("direct and heap").hasValue(2);
    if (closed) {
      allocator.close();
    } else {
      loop.submit(() -> FastThreadLocal.removeAll()).get();
    }
    Patience.await().untilAsserted(() -> assertThat(listeners).hasValue(0));
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    assertThat(loop.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  static Stream<Arguments> triplesOfKinds() {
    List<ThreadKind> kinds =
        kinds()
            .filter(
                kind -> kind != ThreadKind.NIO_EVENT_LOOP && kind != ThreadKind.PLAIN_EVENT_LOOP)
            .toList();
    return kinds.stream()
        .flatMap(a -> kinds.stream().flatMap(b -> kinds.stream().map(c -> Arguments.of(a, b, c))));
  }

  @ParameterizedTest
  @MethodSource("triplesOfKinds")
  void aBufferIsGrownByOneEndedThreadAndReleasedByAThird(
      ThreadKind allocating, ThreadKind growing, ThreadKind releasing) {
    allocating.call(
        () -> {
          allocateSome();
          return null;
        });
    growing.call(
        () -> {
          for (ByteBuf buffer : live) {
            int before = buffer.capacity();
            buffer.capacity(before * 2 + 100);
            Stamp.check(buffer, before, 0, before);
            Stamp.write(buffer, buffer.capacity());
          }
          return null;
        });
    releasing.call(
        () -> {
          live.forEach(OddThreadsTest::checkAndRelease);
          return null;
        });
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** Before it, between two of them, and after it; what is allocated is released all over. */
  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void aLivingLoopLosesItsThreadLocalsAndBecomesIdle(ThreadKind kind) {
    try (ThreadKind.Group group = new ThreadKind.Group(kind, 1)) {
      for (int round = 0; round < 5; round++) {
        group.call(
            () -> {
              allocateRemoveAllocateRemoveAllocate();
              return null;
            });
        assertSound(allocator);
        live.forEach(OddThreadsTest::checkAndRelease);
        live.clear();
        Idle.awaitUsed(allocator, 0);
      }
    }
    assertNothingHeld(allocator);
  }

  /** Only the owner may trim, and the former owner's task knows that it is not the owner. */
  @Test
  void aTrimThatIsDueLeavesAHeapAloneThatAnotherLoopHasAdopted() {
    MiMallocByteBufAllocator allocator =
        MiMallocByteBufAllocator.builder().trimDelayMillis(100).build();
    CountDownLatch isAdopted = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try (CountingEventLoop former = new CountingEventLoop();
        CountingEventLoop owner = new CountingEventLoop()) {
      ByteBuf live =
          former.call(
              () -> {
                ByteBuf buffer = allocator.directBuffer(100);
                FastThreadLocal.removeAll();
                former.stayBusyUntil(isAdopted); // so that the trim does not come before
                return buffer;
              });
      try {
        long before =
            owner.call(
                () -> {
                  allocator.directBuffer(10_000).release(); // an empty page, kept until the trim
                  owner.stayBusyUntil(mayEnd); // so that it does not trim the heap itself
                  return Insides.directHeaps(allocator).blockAllocator().pagedBytes();
                });
        assertThat(allocator.metric().direct().counts().adoptions()).isOne();
        assertThat(former.pending()).as("trims of the former owner").isPositive();
        isAdopted.countDown();
        former.awaitQuiet();
        assertThat(Insides.directHeaps(allocator).blockAllocator().pagedBytes()).isEqualTo(before);
      } finally {
        isAdopted.countDown();
        mayEnd.countDown();
      }
      live.release();
      Idle.awaitUsed(allocator, Idle.RETAINED_BYTES);
    }
    assertNothingHeld(allocator);
  }

  /** As of a pool that also runs other tasks, or of a factory that warms its threads up. */
  @Test
  void aLoopOwnsAHeapAlthoughItsThreadHasAllocatedBefore() {
    ownsOneHeap(new DefaultEventExecutor((ThreadFactory) this::newThreadThatAllocates));
  }

  /** As of a loop that logs what it is asked. It is asked for upkeep while it gets its heap. */
  @Test
  void aLoopThatAllocatesWhenItIsAskedOwnsOneHeap() {
    ownsOneHeap(
        new DefaultEventLoop() {
          @Override
          public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            allocator.directBuffer(100).release();
            return super.schedule(task, delay, unit);
          }
        });
  }

  /**
   * As of one that resets its thread's state whenever it gets a task. Such a call comes from the
   * middle of an allocation, when no other thread may get the heap.
   */
  @Test
  void aLoopThatLosesItsThreadLocalsWhenItIsAskedKeepsItsHeap() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger left = new AtomicInteger();
    DefaultEventLoop loop =
        new DefaultEventLoop() {
          @Override
          public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            int before = ownedHeaps();
            FastThreadLocal.removeAll();
            left.addAndGet(before - ownedHeaps());
            asked.incrementAndGet();
            return super.schedule(task, delay, unit);
          }
        };
    Patience.await()
        .until(
            () -> {
              loop.submit(this::allocateAndReleaseSome).syncUninterruptibly();
              return asked.get() > 1; // not only when it got the heap
            });
    assertThat(left).as("heaps left in the middle of an allocation").hasValue(0);
    assertSound(allocator);
    new Deadline().awaitEnd(loop.shutdownGracefully(0, 1, TimeUnit.MINUTES), "the loop");
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  private void allocateAndReleaseSome() {
    allocateSome();
    live.forEach(OddThreadsTest::checkAndRelease);
    live.clear();
  }

  private int ownedHeaps() {
    return allocator.metric().direct().threadHeaps().owned()
        + allocator.metric().heap().threadHeaps().owned();
  }

  private void ownsOneHeap(SingleThreadEventExecutor executor) {
    executor.submit(this::allocateSome).syncUninterruptibly();
    assertThat(allocator.metric().direct().threadHeaps().owned()).isOne();
    new Deadline().awaitEnd(executor.shutdownGracefully(0, 1, TimeUnit.MINUTES), "the executor");
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  private Thread newThreadThatAllocates(Runnable task) {
    return new FastThreadLocalThread(
        () -> {
          allocator.directBuffer(100).release();
          task.run();
        });
  }

  @Test
  void aPlainThreadWithFastThreadLocalsLosesThemAndBecomesIdle() throws Exception {
    FutureTask<Void> task = new FutureTask<>(this::allocateRemoveAllocateRemoveAllocate, null);
    Thread thread = new FastThreadLocalThread(task);
    thread.start();
    thread.join();
    task.get();
    assertSound(allocator);
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  private void allocateRemoveAllocateRemoveAllocate() {
    for (int n = 0; n < 3; n++) {
      int first = live.size();
      allocateSome();
      checkAndRelease(live.remove(first)); // its own
      checkAndRelease(live.remove(0)); // of before the last removal
      if (n < 2) {
        FastThreadLocal.removeAll();
      }
    }
  }

  /** Its thread ends when it is idle for a second, and a task for upkeep would wake it again. */
  @Test
  void theThreadOfTheGlobalExecutorOwnsNoHeap() throws Exception {
    Thread thread =
        GlobalEventExecutor.INSTANCE
            .submit(
                () -> {
                  allocateSome();
                  return Thread.currentThread();
                })
            .get();
    for (ByteBuf buffer : live) {
      Heap<?> heap = ((MiMallocByteBuf) buffer).page().heap();
      assertThat(heap != null && heap.isOwner(thread)).isFalse();
    }
    live.forEach(OddThreadsTest::checkAndRelease);
    Idle.awaitUsed(allocator, 0);
    assertNothingHeld(allocator);
  }

  /** As of an executor that was made for a few tasks. Else each would leave its heap behind. */
  @Test
  void aThreadOfAnExecutorThatIsShuttingDownAdoptsWhatTheLastOneLeft() {
    MiMallocByteBufAllocator withoutUpkeep = Idle.newAllocatorWithoutUpkeep();
    for (int n = 0; n < 20; n++) {
      DefaultEventExecutor executor = new DefaultEventExecutor();
      executor.execute(
          () -> {
            executor.shutdownGracefully(0, 1, TimeUnit.MINUTES);
            allocateSomeFrom(withoutUpkeep);
          });
      assertThat(executor.terminationFuture().awaitUninterruptibly(1, TimeUnit.MINUTES)).isTrue();
    }
    assertSound(withoutUpkeep);
    MemoryStatistics direct = withoutUpkeep.metric().direct();
    assertThat(direct.counts().adoptions()).isEqualTo(19);
    live.forEach(OddThreadsTest::checkAndRelease);
    assertNothingHeld(withoutUpkeep);
  }

  /** Their order is not defined: with many of them, some come before and some after ours. */
  @ParameterizedTest
  @MethodSource("io.github.mimalloc4j.netty.support.ThreadKind#ofExecutors")
  void otherThreadLocalsAllocateAndReleaseWhileTheThreadEnds(ThreadKind kind) {
    ConcurrentLinkedQueue<ByteBuf> late = new ConcurrentLinkedQueue<>();
    List<FastThreadLocal<ByteBuf>> locals =
        Stream.<FastThreadLocal<ByteBuf>>generate(() -> new ReleasedAtTheEnd(late))
            .limit(16)
            .toList();
    for (int n = 0; n < 20; n++) {
      kind.call(
          () -> {
            locals.subList(0, 8).forEach(FastThreadLocal::get);
            allocateSome();
            locals.subList(8, 16).forEach(FastThreadLocal::get);
            return null;
          });
    }
    assertThat(late).hasSize(20 * 16);
    live.forEach(OddThreadsTest::checkAndRelease);
    late.forEach(ByteBuf::release);
    Idle.awaitUsed(allocator, 0); // without trim(), which would find heaps that nobody left
    assertNothingHeld(allocator);
  }

  /** The loop cancels a trim that is due. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void otherThreadLocalsThrowWhileTheThreadEnds(boolean trimIsDue) {
    for (int n = 0; n < 5; n++) { // each with an allocator that has no other reason for upkeep
      MiMallocByteBufAllocator allocator =
          MiMallocByteBufAllocator.builder().trimDelayMillis(100).retainedTarget(0).build();
      CountingEventLoop loop = new CountingEventLoop();
      Thread thread =
          loop.call(
              () -> {
                ThrowingThreadLocals.setOnThisThread();
                live.add(allocator.directBuffer(100));
                live.add(allocator.directBuffer(100));
                return Thread.currentThread();
              });
      if (!trimIsDue) {
        loop.awaitQuiet();
      }
      loop.shutdownGracefully(0, 1, TimeUnit.MINUTES); // its future is never done
      ThreadKind.join(thread);
      live.forEach(ByteBuf::release);
      live.clear();
      Idle.awaitUsed(allocator, 0);
      assertNothingHeld(allocator);
    }
  }

  /** Its thread lives as long as any of its tasks is due later. */
  @Test
  void theThreadOfTheGlobalExecutorKeepsNoClosedAllocator() throws Exception {
    Future<?> due = GlobalEventExecutor.INSTANCE.schedule(() -> {}, 1, TimeUnit.HOURS);
    try {
      Patience.awaitCleared(List.of(useInGlobalExecutorAndClose()));
    } finally {
      due.cancel(false);
    }
  }

  private static WeakReference<MiMallocByteBufAllocator> useInGlobalExecutorAndClose()
      throws Exception {
    MiMallocByteBufAllocator used = Idle.newAllocatorThatRetainsNothing();
    GlobalEventExecutor.INSTANCE.submit(() -> used.directBuffer(100).release()).get();
    used.close();
    return new WeakReference<>(used);
  }

  private final class ReleasedAtTheEnd extends FastThreadLocal<ByteBuf> {
    private final ConcurrentLinkedQueue<ByteBuf> late;

    ReleasedAtTheEnd(ConcurrentLinkedQueue<ByteBuf> late) {
      this.late = late;
    }

    @Override
    protected ByteBuf initialValue() {
      return allocator.directBuffer(300);
    }

    @Override
    protected void onRemoval(ByteBuf value) {
      value.release();
      late.add(allocator.directBuffer(20_000));
    }
  }
}
