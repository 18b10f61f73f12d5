package io.github.mimalloc4j.netty.support;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MisuseEvent;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The buffers that the contract runs on. Netty's own are the controls: an expectation that one of
 * them does not meet is either wrong or a difference that the test names.
 */
public enum BufferKind {
  NETTY_UNPOOLED_DIRECT(() -> UnpooledByteBufAllocator.DEFAULT, true, Threads.TEST),
  NETTY_UNPOOLED_HEAP(() -> UnpooledByteBufAllocator.DEFAULT, false, Threads.TEST),
  NETTY_POOLED_DIRECT(() -> PooledByteBufAllocator.DEFAULT, true, Threads.TEST),
  NETTY_POOLED_HEAP(() -> PooledByteBufAllocator.DEFAULT, false, Threads.TEST),
  NETTY_ADAPTIVE_DIRECT(() -> Shared.ADAPTIVE, true, Threads.TEST),
  NETTY_ADAPTIVE_HEAP(() -> Shared.ADAPTIVE, false, Threads.TEST),
  NETTY_ADAPTIVE_DIRECT_ON_EVENT_LOOP(() -> Shared.ADAPTIVE, true, Threads.EVENT_LOOP),
  MIMALLOC_DIRECT(() -> MiMallocByteBufAllocator.DEFAULT, true, Threads.TEST),
  MIMALLOC_HEAP(() -> MiMallocByteBufAllocator.DEFAULT, false, Threads.TEST),
  MIMALLOC_DIRECT_ON_EVENT_LOOP(() -> Shared.MIMALLOC, true, Threads.EVENT_LOOP),
  MIMALLOC_HEAP_ON_EVENT_LOOP(() -> Shared.MIMALLOC, false, Threads.EVENT_LOOP),
  MIMALLOC_DIRECT_FROM_EVENT_LOOP(() -> Shared.MIMALLOC, true, Threads.ALLOCATED_ON_EVENT_LOOP),
  MIMALLOC_HEAP_FROM_EVENT_LOOP(() -> Shared.MIMALLOC, false, Threads.ALLOCATED_ON_EVENT_LOOP),
  MIMALLOC_DEBUG_DIRECT_ON_EVENT_LOOP(() -> Shared.DEBUG, true, Threads.EVENT_LOOP),
  MIMALLOC_DEBUG_HEAP_FROM_EVENT_LOOP(() -> Shared.DEBUG, false, Threads.ALLOCATED_ON_EVENT_LOOP),
  MIMALLOC_SAMPLED_DEBUG_DIRECT_FROM_EVENT_LOOP(
      () -> Shared.SAMPLED, true, Threads.ALLOCATED_ON_EVENT_LOOP);

  /** Which threads handle the buffers of a test. */
  public enum Threads {
    /** Everything happens on the plain thread that runs the test. */
    TEST,
    /** The whole test method, its clean-up included, runs on an event loop. */
    EVENT_LOOP,
    /** An event loop allocates; the test thread uses and releases. */
    ALLOCATED_ON_EVENT_LOOP
  }

  private final Supplier<ByteBufAllocator> allocator;
  private final boolean direct;
  private final Threads threads;

  BufferKind(Supplier<ByteBufAllocator> allocator, boolean direct, Threads threads) {
    this.allocator = allocator;
    this.direct = direct;
    this.threads = threads;
  }

  /**
   * All of them. Without the controls with {@code -Dnetty.controls=false}: those of an older Netty
   * have defects that it mended since, and one ends the JVM.
   */
  public static Stream<BufferKind> tested() {
    boolean withControls = Boolean.parseBoolean(System.getProperty("netty.controls", "true"));
    return Stream.of(values()).filter(kind -> withControls || !kind.isNetty());
  }

  public boolean isDirect() {
    return direct;
  }

  /** Whether the buffers are Netty's and so may differ from ours where a test says so. */
  public boolean isNetty() {
    return name().startsWith("NETTY_");
  }

  public boolean isUnpooled() {
    return this == NETTY_UNPOOLED_DIRECT || this == NETTY_UNPOOLED_HEAP;
  }

  public boolean isPooled() {
    return name().startsWith("NETTY_POOLED_");
  }

  public boolean isAdaptive() {
    return name().startsWith("NETTY_ADAPTIVE_");
  }

  /** What debug mode found since the last call. */
  public static List<MisuseEvent> misuses() {
    return Stream.generate(Shared.MISUSES::poll).takeWhile(Objects::nonNull).toList();
  }

  public Threads threads() {
    return threads;
  }

  public ByteBufAllocator allocator() {
    return allocator.get();
  }

  public ByteBuf newBuffer(int initialCapacity, int maxCapacity) {
    Callable<ByteBuf> allocation =
        () ->
            direct
                ? allocator().directBuffer(initialCapacity, maxCapacity)
                : allocator().heapBuffer(initialCapacity, maxCapacity);
    return threads == Threads.ALLOCATED_ON_EVENT_LOOP ? onEventLoop(allocation) : call(allocation);
  }

  /** Runs the task on the event loop shared by all tests and rethrows what it throws. */
  public static <T> T onEventLoop(Callable<T> task) {
    if (Shared.EVENT_LOOP.inEventLoop()) {
      return call(task);
    }
    return call(
        () -> {
          try {
            return Shared.EVENT_LOOP.submit(task).get();
          } catch (ExecutionException e) {
            throw Sneaky.asUnchecked(e.getCause());
          }
        });
  }

  private static <T> T call(Callable<T> task) {
    try {
      return task.call();
    } catch (Exception e) {
      throw Sneaky.asUnchecked(e);
    }
  }

  private static final class Shared {
    static final ByteBufAllocator ADAPTIVE = new AdaptiveByteBufAllocator();
    static final ByteBufAllocator MIMALLOC = new MiMallocByteBufAllocator(true);
    static final Queue<MisuseEvent> MISUSES = new ConcurrentLinkedQueue<>();
    static final ByteBufAllocator DEBUG =
        MiMallocByteBufAllocator.builder().debug(true).misuseListener(MISUSES::add).build();
    static final ByteBufAllocator SAMPLED =
        MiMallocByteBufAllocator.builder()
            .sampleLive(1)
            .debug(true)
            .misuseListener(MISUSES::add)
            .build();
    static final EventExecutor EVENT_LOOP =
        new DefaultEventExecutor(new DefaultThreadFactory("contract-event-loop", true));
  }
}
