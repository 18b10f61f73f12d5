package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.GuardedHeaps;
import io.github.mimalloc4j.netty.debugging.MisuseListener;
import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.github.mimalloc4j.netty.figures.ManagementBeans;
import io.github.mimalloc4j.netty.figures.Snapshot;
import io.github.mimalloc4j.netty.figures.StatisticsJson;
import io.github.mimalloc4j.netty.figures.StatisticsText;
import io.github.mimalloc4j.netty.options.Option;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.Faults;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.ObjectUtil;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.logging.InternalLogger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link io.netty.buffer.ByteBufAllocator} after mimalloc's design.
 *
 * <pre>{@code
 * new ServerBootstrap()
 *     .childOption(ChannelOption.ALLOCATOR, MiMallocByteBufAllocator.DEFAULT)
 * }</pre>
 *
 * <p>Threads of Netty's event executors have thread heaps of their own; all other threads, virtual
 * ones among them, share some. A buffer may be released by any thread, also after the one that
 * allocated it has ended.
 *
 * <p>Each instance has memory of its own, which it keeps until it is {@linkplain #close() closed}
 * or, but for the {@linkplain Builder#retainedTarget retained target}, nothing of it is in use.
 * Most applications need {@link #DEFAULT} alone.
 *
 * <p>Thread-safe.
 */
public final class MiMallocByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, AutoCloseable {

  private static final InternalLogger logger = AllocatorLogger.get();

  /**
   * The allocator that all of a JVM may share. It prefers direct buffers unless {@code
   * -Dio.netty.noPreferDirect=true}.
   */
  public static final MiMallocByteBufAllocator DEFAULT =
      new MiMallocByteBufAllocator(PlatformDependent.directBufferPreferred());

  private final ThreadHeaps direct;
  private final ThreadHeaps array;
  private final MiMallocByteBufAllocatorMetric metric;
  private final Runnable unregisterBeans;

  /**
   * Makes an allocator with memory of its own and the options of the system properties.
   *
   * @param preferDirect whether {@link #buffer()} gives direct buffers rather than heap buffers
   */
  public MiMallocByteBufAllocator(boolean preferDirect) {
    this(builder().preferDirect(preferDirect));
  }

  private MiMallocByteBufAllocator(Builder builder) {
    super(builder.preferDirect);
    Settings settings = new Settings(builder.values);
    OutOfMemoryListener outOfMemory = OutOfMemoryEvent.toldTo(builder.outOfMemoryListener);
    if (settings.guarded()) {
      MisuseListener misuse = MisuseEvent.logged(builder.misuseListener);
      direct = GuardedHeaps.of(this, settings, outOfMemory, misuse, true);
      array = GuardedHeaps.of(this, settings, outOfMemory, misuse, false);
    } else if (builder.faults != null) {
      direct = ThreadHeaps.failing(this, settings, outOfMemory, true, builder.faults);
      array = ThreadHeaps.failing(this, settings, outOfMemory, false, builder.faults);
    } else {
      direct = ThreadHeaps.direct(this, settings, outOfMemory);
      array = ThreadHeaps.array(this, settings, outOfMemory);
    }
    metric =
        new MiMallocByteBufAllocatorMetric(direct, array, settings.get(Options.TRIM_NATIVE_HEAP));
    unregisterBeans = settings.get(Options.JMX) ? registerBeans() : () -> {};
  }

  /**
   * Begins an allocator with other options than those of the system properties.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /** The allocator's figures. The same object at each call. */
  @Override
  public MiMallocByteBufAllocatorMetric metric() {
    return metric;
  }

  /**
   * {@return the {@linkplain #metric() figures} of both kinds of memory as a page of text, with a
   * row for each size class that has pages} Its form may change; programs read {@link #metric()} or
   * {@link #dumpStatsAsJson()}.
   */
  public String dumpStats() {
    return StatisticsText.of(snapshot());
  }

  /**
   * {@return the same as {@link #dumpStats()}, as a JSON object of whole numbers in ASCII, named as
   * the components of {@link io.github.mimalloc4j.core.statistics.MemoryStatistics} and {@link
   * io.github.mimalloc4j.core.statistics.ProcessStatistics}; what the system does not tell is left
   * out}
   */
  public String dumpStatsAsJson() {
    return StatisticsJson.of(snapshot());
  }

  private Snapshot snapshot() {
    return new Snapshot(metric.direct(), metric.heap(), metric.process());
  }

  /**
   * Gives memory back to the system at once: that of no buffer, as far as the calling thread can
   * reach it. Empty pages of event loops' heaps are given back by the event loops, which this asks
   * to do so as soon as they have time. What the C library keeps of freed direct memory goes back,
   * too, unless {@link Builder#trimNativeHeap} is off; other threads that obtain or free native
   * memory may wait for that, some milliseconds for each 100 MiB.
   *
   * <p>There is no need to call it: what no buffer uses is given back by itself, about two seconds
   * later ({@code trimDelayMillis}), but for the {@linkplain Builder#retainedTarget retained
   * target}.
   *
   * @return the bytes of direct and heap memory given back until now
   */
  public long trim() {
    return direct.trim() + array.trim();
  }

  /**
   * Ends this allocator. Further allocation, growth of a buffer included, throws an {@link
   * IllegalStateException}; threads of event executors, which are told by a task, may still
   * allocate until they have run it. Buffers in use stay valid, and their memory goes back to the
   * system as they are released. Closing again does nothing.
   *
   * <p>{@link #DEFAULT} is not closed, for the whole JVM may be using it: the call does nothing and
   * is logged at debug level. So a container may have it as a bean, and close it with all others.
   */
  @Override
  public void close() {
    if (isDefault()) {
      logger.debug(
          "MiMallocByteBufAllocator.DEFAULT is not closed: all of the JVM may be using it.");
      return;
    }
    direct.close();
    array.close();
    unregisterBeans.run();
  }

  private Runnable registerBeans() {
    try {
      return ManagementBeans.register(this::snapshot);
    } catch (LinkageError e) { // a run-time image may lack the module
      logger.warn("There is no JMX in this JVM: add the module java.management.", e);
      return () -> {};
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isDefault() {
    return this == DEFAULT;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return newBuffer(direct, initialCapacity, maxCapacity);
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return newBuffer(array, initialCapacity, maxCapacity);
  }

  @SuppressWarnings("ReferenceEquality") // whether it was wrapped
  private static ByteBuf newBuffer(ThreadHeaps heaps, int initialCapacity, int maxCapacity) {
    MiMallocByteBuf buffer = heaps.allocate(initialCapacity);
    ByteBuf leakAware;
    try {
      buffer.begin(initialCapacity, maxCapacity);
      leakAware = toLeakAwareBuffer(buffer); // which may tell a user's listener of another one
      if (leakAware != buffer) {
        buffer.unbind();
      }
    } catch (Throwable e) {
      buffer.putBack();
      throw e;
    }
    if (AllocatorEvents.allocationsAreRecorded()) { // last: what is recorded is handed over
      buffer.recordAllocation();
    }
    return leakAware;
  }

  /** For tests. */
  ThreadHeaps directHeaps() {
    return direct;
  }

  /** For tests. */
  ThreadHeaps arrayHeaps() {
    return array;
  }

  /**
   * The options of an allocator. What is not set is as the system property of the same name says.
   *
   * <p>Not thread-safe.
   */
  public static final class Builder {

    private final Map<Option<?>, Object> values = new HashMap<>();
    private boolean preferDirect = PlatformDependent.directBufferPreferred();
    private Consumer<? super OutOfMemoryEvent> outOfMemoryListener = event -> {};
    private Consumer<? super MisuseEvent> misuseListener = event -> {};
    private @Nullable Faults faults;

    private Builder() {}

    /**
     * Whether {@link MiMallocByteBufAllocator#buffer()} gives direct buffers.
     *
     * @param preferDirect default as Netty has it ({@code -Dio.netty.noPreferDirect})
     * @return this builder
     */
    public Builder preferDirect(boolean preferDirect) {
      this.preferDirect = preferDirect;
      return this;
    }

    /**
     * The size of the first segments that are obtained from the system.
     *
     * @param bytes a positive multiple of 16,384; default 262,144
     * @return this builder
     */
    public Builder minSegmentBytes(int bytes) {
      return set(Options.MIN_SEGMENT_BYTES, (long) bytes);
    }

    /**
     * The size that segments grow to, and the largest request that shares one.
     *
     * @param bytes a positive multiple of 16,384, at least {@link #minSegmentBytes}; default
     *     8,388,608
     * @return this builder
     */
    public Builder maxSegmentBytes(int bytes) {
      return set(Options.MAX_SEGMENT_BYTES, (long) bytes);
    }

    /**
     * The most direct memory that the allocator may hold. Beyond it, as beyond Netty's own limit
     * ({@code -Dio.netty.maxDirectMemory}), everything within reach is trimmed, and then allocation
     * fails with an {@link OutOfMemoryError}.
     *
     * @param bytes 0 or more; 0, the default, sets no limit
     * @return this builder
     */
    public Builder maxDirectMemory(long bytes) {
      return set(Options.MAX_DIRECT_MEMORY, bytes);
    }

    /**
     * As {@link #maxDirectMemory}, of memory on the Java heap.
     *
     * @param bytes 0 or more; 0, the default, sets no limit
     * @return this builder
     */
    public Builder maxHeapMemory(long bytes) {
      return set(Options.MAX_HEAP_MEMORY, bytes);
    }

    /**
     * How much memory is kept for reuse when no buffer needs it, of direct and of heap memory each.
     *
     * @param bytes 0 or more; default 524,288
     * @return this builder
     */
    public Builder retainedTarget(long bytes) {
      return set(Options.RETAINED_TARGET, bytes);
    }

    /**
     * How long memory that became free waits for reuse before it is given back: a heap's pages wait
     * so long, and after them segments.
     *
     * @param millis milliseconds, 0 to 2,147,483,647; default 1,000; with 0 nothing is given back
     *     before {@link MiMallocByteBufAllocator#trim()} or the end of its thread
     * @return this builder
     */
    public Builder trimDelayMillis(long millis) {
      return set(Options.TRIM_DELAY_MILLIS, millis);
    }

    /**
     * Whether the C library is told to give direct memory back to the system after enough of it was
     * freed, and by {@link MiMallocByteBufAllocator#trim()}. Otherwise it may keep it for its next
     * request, and the memory stays resident. This is done for the whole process, by a command of
     * the JDK; where that is missing it is as without this option.
     *
     * @param trim default true
     * @return this builder
     */
    public Builder trimNativeHeap(boolean trim) {
      return set(Options.TRIM_NATIVE_HEAP, trim);
    }

    /**
     * How many thread heaps are shared at most by all threads that are not those of event
     * executors. They are made as such threads are found allocating at the same time.
     *
     * @param heaps 0 to 65,536; 0, the default, stands for two for each processor
     * @return this builder
     */
    public Builder maxSharedThreadHeaps(int heaps) {
      return set(Options.MAX_SHARED_THREAD_HEAPS, (long) heaps);
    }

    /**
     * Is told of each allocation that fails for want of memory, by the thread that asked for it and
     * before the error is thrown.
     *
     * @param listener thread-safe; an exception that it throws is logged, an error goes on to the
     *     caller of the allocator, which is as it was
     * @return this builder
     */
    public Builder outOfMemoryListener(Consumer<? super OutOfMemoryEvent> listener) {
      this.outOfMemoryListener = ObjectUtil.checkNotNull(listener, "listener");
      return this;
    }

    /**
     * Whether of two releases of the same reference at the same time one always throws an {@link
     * io.netty.util.IllegalReferenceCountException}. Otherwise both may succeed if one of them is
     * on the thread that allocated the buffer; then an error is logged, later. It costs an atomic
     * operation for each buffer.
     *
     * @param checked default false
     * @return this builder
     */
    public Builder checkedRelease(boolean checked) {
      return set(Options.CHECKED_RELEASE, checked);
    }

    /**
     * Whether the bytes of each buffer are erased with its last release, before anybody else can
     * get them, and of a buffer that grows those that it leaves behind. For programs that handle
     * secrets. Includes {@link #checkedRelease}. With {@link #debug} bytes are erased in any case,
     * by another value than zero.
     *
     * @param zero default false
     * @return this builder
     */
    public Builder zeroOnRelease(boolean zero) {
      return set(Options.ZERO_ON_RELEASE, zero);
    }

    /**
     * Whether to look for writes to memory that the writer did not have: after the release of a
     * buffer, or behind its end, as they come about through addresses, arrays and NIO buffers. The
     * first are found when the block is to be used again, which is set aside then; the others when
     * the buffer changes its capacity or is released. They are logged as errors, with the stacks of
     * the allocation and of the last release, and the {@link #misuseListener} is told. In addition,
     * the exceptions for a buffer that is used or released after its last release have that release
     * as their cause.
     *
     * <p>For tests and for the search after an error: each allocation and each release takes a
     * stack trace and goes over all bytes. Includes {@link #checkedRelease}.
     *
     * @param debug default false
     * @return this builder
     */
    public Builder debug(boolean debug) {
      return set(Options.DEBUG, debug);
    }

    /**
     * Is told of what {@linkplain #debug debug mode} finds, by the thread that finds it.
     *
     * @param listener thread-safe; an exception that it throws is logged, an error goes on to the
     *     caller of the allocator: a release is complete then, and an allocation has taken nothing
     * @return this builder
     */
    public Builder misuseListener(Consumer<? super MisuseEvent> listener) {
      this.misuseListener = ObjectUtil.checkNotNull(listener, "listener");
      return this;
    }

    /**
     * Whether the allocator's figures can be read through JMX: as attributes of three beans named
     * {@code io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=…,memory=…}, with an id of their
     * own and {@code direct}, {@code heap} or {@code process}. They keep the allocator reachable
     * until it is {@linkplain MiMallocByteBufAllocator#close() closed}. If that is not possible, it
     * is logged.
     *
     * @param jmx default false
     * @return this builder
     */
    public Builder jmx(boolean jmx) {
      return set(Options.JMX, jmx);
    }

    /**
     * Makes the allocator.
     *
     * @return a new allocator with memory of its own
     * @throws IllegalArgumentException if a value is out of its range; the message names it
     */
    public MiMallocByteBufAllocator build() {
      return new MiMallocByteBufAllocator(this);
    }

    /** For tests: has memory and blocks fail, unless an option for debugging is set. */
    Builder faults(Faults faults) {
      this.faults = faults;
      return this;
    }

    private <T> Builder set(Option<T> option, T value) {
      values.put(option, value);
      return this;
    }
  }
}
