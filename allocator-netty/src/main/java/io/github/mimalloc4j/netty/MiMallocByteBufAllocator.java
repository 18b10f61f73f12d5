package io.github.mimalloc4j.netty;

import static io.netty.util.internal.logging.InternalLogLevel.DEBUG;
import static io.netty.util.internal.logging.InternalLogLevel.WARN;

import io.github.mimalloc4j.core.statistics.LiveProfile;
import io.github.mimalloc4j.netty.buffers.MiMallocByteBuf;
import io.github.mimalloc4j.netty.debugging.GuardedHeaps;
import io.github.mimalloc4j.netty.debugging.LiveBuffers;
import io.github.mimalloc4j.netty.debugging.MisuseListener;
import io.github.mimalloc4j.netty.events.AllocatorEvents;
import io.github.mimalloc4j.netty.events.AllocatorLogger;
import io.github.mimalloc4j.netty.events.PeriodicEvents;
import io.github.mimalloc4j.netty.figures.HoldersText;
import io.github.mimalloc4j.netty.figures.ManagementBeans;
import io.github.mimalloc4j.netty.figures.OutOfMemoryDump;
import io.github.mimalloc4j.netty.figures.Snapshot;
import io.github.mimalloc4j.netty.figures.StatisticsJson;
import io.github.mimalloc4j.netty.figures.StatisticsText;
import io.github.mimalloc4j.netty.options.Option;
import io.github.mimalloc4j.netty.options.Options;
import io.github.mimalloc4j.netty.options.Settings;
import io.github.mimalloc4j.netty.threads.OutOfMemoryListener;
import io.github.mimalloc4j.netty.threads.ThreadHeaps;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.ObjectUtil;
import io.netty.util.internal.PlatformDependent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A {@link io.netty.buffer.ByteBufAllocator} modelled on mimalloc.
 *
 * <pre>{@code
 * new ServerBootstrap()
 *     .childOption(ChannelOption.ALLOCATOR, MiMallocByteBufAllocator.DEFAULT)
 * }</pre>
 *
 * <p>Each thread of a Netty event executor owns a thread heap, unless its end could remain
 * unnoticed. All other threads, including most virtual threads, share thread heaps. Any thread may
 * release a buffer, even after the thread that allocated it has ended.
 *
 * <p>Each instance has its own memory. Unused memory goes back to the system, except for the
 * {@linkplain Builder#retainedTarget retained target}; once the allocator is {@linkplain #close()
 * closed}, all of it does, so close an instance that is no longer used. Most applications need only
 * {@link #DEFAULT}.
 *
 * <p>Thread-safe.
 */
public final class MiMallocByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, AutoCloseable {

  /**
   * The allocator that the whole JVM can share. It prefers direct buffers unless {@code
   * -Dio.netty.noPreferDirect=true}.
   */
  public static final MiMallocByteBufAllocator DEFAULT =
      new MiMallocByteBufAllocator(directIsPreferred());

  private final ThreadHeaps direct;
  private final ThreadHeaps array;
  private final MiMallocByteBufAllocatorMetric metric;
  private final Runnable unregisterBeans;
  private final Runnable endPeriodicEvents;

  /**
   * Creates an allocator with its own memory and the options that the system properties set.
   *
   * @param preferDirect whether {@link #buffer()} returns direct buffers rather than heap buffers
   */
  public MiMallocByteBufAllocator(boolean preferDirect) {
    this(builder().preferDirect(preferDirect));
  }

  private MiMallocByteBufAllocator(Builder builder) {
    super(builder.preferDirect);
    Settings settings = new Settings(builder.values);
    OutOfMemoryListener outOfMemory =
        OutOfMemoryEvent.toldTo(builder.outOfMemoryListener, new OutOfMemoryDump(this::dumpStats));
    long sampleBytes = settings.get(Options.SAMPLE_LIVE);
    LiveBuffers live = sampleBytes == 0 ? null : new LiveBuffers(sampleBytes);
    Supplier<LiveProfile> profile = live == null ? () -> LiveProfile.OFF : live::profile;
    if (settings.guarded()) {
      MisuseListener misuse = MisuseEvent.logged(builder.misuseListener);
      direct = GuardedHeaps.of(this, settings, outOfMemory, misuse, live, true);
      array = GuardedHeaps.of(this, settings, outOfMemory, misuse, live, false);
    } else {
      direct = builder.heaps.create(this, settings, outOfMemory, true);
      array = builder.heaps.create(this, settings, outOfMemory, false);
    }
    metric =
        new MiMallocByteBufAllocatorMetric(
            direct, array, settings.get(Options.TRIM_NATIVE_HEAP), profile);
    endPeriodicEvents =
        live == null
            ? () -> {}
            : PeriodicEvents.begin(getClass(), metric::direct, metric::heap, profile);
    try {
      unregisterBeans = settings.get(Options.JMX) ? registerBeans() : () -> {};
    } catch (Throwable e) {
      endPeriodicEvents.run();
      throw e;
    }
  }

  /**
   * Returns a builder, to set options that differ from the system properties.
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

  /** Returns the allocator's figures. Every call returns the same object. */
  @Override
  public MiMallocByteBufAllocatorMetric metric() {
    return metric;
  }

  /**
   * {@return the {@linkplain #metric() figures} of direct and heap memory, and of the process, as a
   * page of text} The page has a row for each size class that has pages, for the thread heaps with
   * the most bytes and, if {@linkplain Builder#sampleLive buffers are sampled}, for the allocation
   * sites with the most bytes. The format may change; programs should read {@link #metric()} or
   * {@link #dumpStatsAsJson()}.
   */
  public String dumpStats() {
    return StatisticsText.of(snapshot());
  }

  /**
   * {@return the figures of {@link #dumpStats()} as a JSON object in ASCII} The names are {@code
   * retained} and those of the components of {@link
   * io.github.mimalloc4j.core.statistics.MemoryStatistics}, {@link
   * io.github.mimalloc4j.core.statistics.ProcessStatistics} and {@link
   * io.github.mimalloc4j.core.statistics.LiveProfile}. The object contains all thread heaps, and
   * the 50 allocation sites with the most bytes. Figures that the system does not provide are
   * omitted, and so is the profile if buffers are not sampled.
   */
  public String dumpStatsAsJson() {
    return StatisticsJson.of(snapshot());
  }

  /**
   * {@return all allocation sites of {@link MiMallocByteBufAllocatorMetric#liveProfile()} as text,
   * each with the stack trace of its oldest sample} The format may change.
   */
  public String dumpLiveProfile() {
    return HoldersText.of(metric.liveProfile());
  }

  private Snapshot snapshot() {
    return snapshot(metric.liveProfile());
  }

  /** Returns the figures without the profile, which takes longer than all others. */
  private Snapshot figures() {
    return snapshot(LiveProfile.OFF);
  }

  private Snapshot snapshot(LiveProfile profile) {
    return new Snapshot(metric.direct(), metric.heap(), metric.process(), profile);
  }

  /**
   * Gives unused memory back to the system at once, as far as the calling thread can reach it. Asks
   * event loops to give back the empty pages of their thread heaps as soon as they have time; the
   * segments that this frees go back after {@link Builder#trimDelayMillis}, or with 0 at once. If
   * {@link Builder#trimNativeHeap} is on, also makes the C library give back freed direct memory.
   * Meanwhile, threads that obtain or free native memory may wait, 10 to 20 milliseconds for each
   * 100 MiB.
   *
   * <p>Calling this method is never necessary: unused memory above the {@linkplain
   * Builder#retainedTarget retained target} is given back automatically after about two seconds
   * ({@link Builder#trimDelayMillis}).
   *
   * @return the bytes of direct and heap memory given back before this method returned
   */
  public long trim() {
    return direct.trim() + array.trim();
  }

  /**
   * Closes this allocator. Afterwards, allocating a buffer or growing one beyond its block throws
   * an {@link IllegalStateException}. Threads of event executors are notified by a task and may
   * still allocate until they have run it or, if the executor refuses it, until they next look for
   * a page after at most another trim delay. Buffers in use stay valid, and their memory goes back
   * to the system as they are released. Closing again has no effect, unless an error has cut the
   * first call short.
   *
   * <p>Closing {@link #DEFAULT} has no effect, since the whole JVM may be using it; the call is
   * logged at debug level. A container may therefore manage it as a bean and close it like any
   * other.
   */
  @Override
  public void close() {
    if (isDefault()) {
      AllocatorLogger.log(
          DEBUG, "MiMallocByteBufAllocator.DEFAULT is not closed: the whole JVM may be using it.");
      return;
    }
    try { // each step, though an earlier one may fail at the end of the stack
      direct.close();
    } finally {
      try {
        array.close();
      } finally {
        try {
          unregisterBeans.run();
        } finally {
          endPeriodicEvents.run();
        }
      }
    }
  }

  /**
   * Returns what Netty's pooled allocators prefer. They take direct buffers even where only a
   * garbage collection frees direct memory, unless Netty is too old to tell.
   */
  private static boolean directIsPreferred() {
    try {
      return !PlatformDependent.isExplicitNoPreferDirect();
    } catch (NoSuchMethodError e) {
      return PlatformDependent.directBufferPreferred();
    }
  }

  private Runnable registerBeans() {
    try {
      return ManagementBeans.register(this::figures, this::snapshot);
    } catch (LinkageError e) { // a run-time image may lack the module
      AllocatorLogger.logFailure(
          WARN,
          "JMX cannot be reached: add the module java.management or, in OSGi with the agent,"
              + " -Dorg.osgi.framework.bootdelegation=javax.management.",
          e);
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

  @SuppressWarnings("ReferenceEquality") // detects whether the buffer was wrapped
  private static ByteBuf newBuffer(ThreadHeaps heaps, int initialCapacity, int maxCapacity) {
    MiMallocByteBuf buffer = heaps.allocate(initialCapacity);
    ByteBuf leakAware;
    try {
      buffer.begin(initialCapacity, maxCapacity);
      leakAware = toLeakAwareBuffer(buffer); // may report another buffer's leak to a listener
      if (leakAware != buffer) {
        buffer.unbind();
      }
    } catch (Throwable e) {
      buffer.putBack();
      throw e;
    }
    if (AllocatorEvents.allocationsAreRecorded()) { // last: every recorded buffer is handed out
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
   * The options of an allocator. An option that is not set has the value of the system property
   * {@code io.netty.allocator.mimalloc.<name>}, or else its default.
   *
   * <p>Not thread-safe.
   */
  public static final class Builder {

    private final Map<Option<?>, Object> values = new HashMap<>();
    private boolean preferDirect = directIsPreferred();
    private Consumer<? super OutOfMemoryEvent> outOfMemoryListener = event -> {};
    private Consumer<? super MisuseEvent> misuseListener = event -> {};
    private ThreadHeaps.Factory heaps = ThreadHeaps::of;

    private Builder() {}

    /**
     * Sets whether {@link MiMallocByteBufAllocator#buffer()} returns direct buffers.
     *
     * @param preferDirect defaults to Netty's preference ({@code -Dio.netty.noPreferDirect})
     * @return this builder
     */
    public Builder preferDirect(boolean preferDirect) {
      this.preferDirect = preferDirect;
      return this;
    }

    /**
     * Sets the size of the first segments that are obtained from the system.
     *
     * @param bytes a positive multiple of 16,384, at most 2,147,467,264; default 262,144
     * @return this builder
     */
    public Builder minSegmentBytes(int bytes) {
      return set(Options.MIN_SEGMENT_BYTES, (long) bytes);
    }

    /**
     * Sets the size up to which segments grow. Larger requests get a segment of their own.
     *
     * @param bytes a positive multiple of 16,384, at most 2,147,467,264 and at least {@link
     *     #minSegmentBytes} if that is set here; default 8,388,608
     * @return this builder
     */
    public Builder maxSegmentBytes(int bytes) {
      return set(Options.MAX_SEGMENT_BYTES, (long) bytes);
    }

    /**
     * Limits the direct memory that the allocator holds. An allocation that would exceed this
     * limit, or Netty's own ({@code -Dio.netty.maxDirectMemory}), first trims all memory within
     * reach, unless the buffer is larger than the limit itself, and then fails with an {@link
     * OutOfMemoryError}.
     *
     * @param bytes 0 or more; 0, the default, sets no limit
     * @return this builder
     */
    public Builder maxDirectMemory(long bytes) {
      return set(Options.MAX_DIRECT_MEMORY, bytes);
    }

    /**
     * Limits the memory on the Java heap that the allocator holds, as {@link #maxDirectMemory} does
     * for direct memory.
     *
     * @param bytes 0 or more; 0, the default, sets no limit
     * @return this builder
     */
    public Builder maxHeapMemory(long bytes) {
      return set(Options.MAX_HEAP_MEMORY, bytes);
    }

    /**
     * Sets how much unused memory is kept for reuse, for direct and heap memory separately.
     *
     * @param bytes 0 or more; default 524,288
     * @return this builder
     */
    public Builder retainedTarget(long bytes) {
      return set(Options.RETAINED_TARGET, bytes);
    }

    /**
     * Sets how long unused memory is kept for reuse before it is given back. The delay applies
     * first to the pages of a thread heap, then to segments.
     *
     * <p>With a delay of 0, unused pages and segments are kept until {@link
     * MiMallocByteBufAllocator#trim()} or {@link MiMallocByteBufAllocator#close()}, unless another
     * segment has to be obtained or memory runs out. (A thread that finds more than 2 to 4 MiB or,
     * if that is more, one part in 32 of its heap in empty pages gives the rest back to the pool of
     * segments.)
     *
     * @param millis the delay in milliseconds, 0 to 2,147,483,647; default 1,000
     * @return this builder
     */
    public Builder trimDelayMillis(long millis) {
      return set(Options.TRIM_DELAY_MILLIS, millis);
    }

    /**
     * Sets whether to make the C library give freed direct memory back to the system, after enough
     * was freed and on {@link MiMallocByteBufAllocator#trim()}. Otherwise the C library may keep
     * freed memory for later requests, and that memory stays resident. Trimming affects the whole
     * process. It uses a diagnostic command of the JDK; where that is missing, this option has no
     * effect.
     *
     * @param trim default true
     * @return this builder
     */
    public Builder trimNativeHeap(boolean trim) {
      return set(Options.TRIM_NATIVE_HEAP, trim);
    }

    /**
     * Limits the number of thread heaps shared by all threads other than those of event executors.
     * Heaps are added when such threads are found allocating at the same time.
     *
     * @param heaps 0 to 65,536; 0, the default, means two per processor
     * @return this builder
     */
    public Builder maxSharedThreadHeaps(int heaps) {
      return set(Options.MAX_SHARED_THREAD_HEAPS, (long) heaps);
    }

    /**
     * Sets a listener for allocations that fail because there is no memory. It is called by the
     * allocating thread, before the error is thrown. It may allocate buffers. If that fails too,
     * the thread gets the error and the listener is not called for it. Copies between a buffer and
     * a stream may need a heap buffer; if that fails, the listener is called, but the copy goes on.
     *
     * @param listener thread-safe; an exception or {@link LinkageError} that it throws is logged,
     *     an {@link OutOfMemoryError} or {@link InternalError} ignored; another error propagates to
     *     the caller of the allocator, whose state is unaffected
     * @return this builder
     */
    public Builder outOfMemoryListener(Consumer<? super OutOfMemoryEvent> listener) {
      this.outOfMemoryListener = ObjectUtil.checkNotNull(listener, "listener");
      return this;
    }

    /**
     * Sets whether one of two concurrent releases of the same reference always throws an {@link
     * io.netty.util.IllegalReferenceCountException}. Otherwise, both may succeed if one of them is
     * by the thread that owns the heap of the buffer or, if threads share it, allocated there last;
     * an error is logged later. Costs one atomic operation per buffer.
     *
     * @param checked default false
     * @return this builder
     */
    public Builder checkedRelease(boolean checked) {
      return set(Options.CHECKED_RELEASE, checked);
    }

    /**
     * Sets whether to erase the bytes of each buffer on its last release, before anybody else can
     * read them. When a buffer grows into another block, the bytes it leaves behind are erased too.
     * For programs that handle secrets. Includes {@link #checkedRelease}. With {@link #debug},
     * bytes are always overwritten, but with a value other than zero.
     *
     * @param zero default false
     * @return this builder
     */
    public Builder zeroOnRelease(boolean zero) {
      return set(Options.ZERO_ON_RELEASE, zero);
    }

    /**
     * Sets whether to detect invalid writes: after the release of a buffer or beyond its end,
     * through addresses, arrays or NIO buffers. A write after release is found when the block is
     * about to be reused; the block is then set aside, unless there are 32 MiB of such blocks. A
     * write beyond the end is found when the buffer changes its capacity or is released. Each
     * finding is logged as an error, with the stack traces of the allocation and of the last
     * release, and reported to the {@link #misuseListener}. In addition, exceptions for using or
     * releasing a buffer after its last release have that release as their cause.
     *
     * <p>For tests and diagnosis: each allocation and each release records a stack trace and scans
     * all bytes of the block. Includes {@link #checkedRelease}.
     *
     * @param debug default false
     * @return this builder
     */
    public Builder debug(boolean debug) {
      return set(Options.DEBUG, debug);
    }

    /**
     * Sets a listener for the findings of {@linkplain #debug debug mode}. It is called by the
     * thread that finds them. It may use buffers of the allocator: what its thread finds meanwhile
     * is reported after it has returned. What its thread finds during these further calls is only
     * logged, and so is what has not been reported yet when it throws an error.
     *
     * @param listener thread-safe; an exception that it throws is logged; an error that it throws
     *     propagates to the caller of the allocator: a release is then complete, and an allocation
     *     has taken nothing
     * @return this builder
     */
    public Builder misuseListener(Consumer<? super MisuseEvent> listener) {
      this.misuseListener = ObjectUtil.checkNotNull(listener, "listener");
      return this;
    }

    /**
     * Sets whether to sample the buffers in use, to find out who allocated them: see {@link
     * MiMallocByteBufAllocatorMetric#liveProfile()}. A sample has the stack trace, the thread and
     * the time of an allocation, or of the growth of a buffer beyond its block. It lives as long as
     * the buffer, and keeps the classes in its stack trace from being unloaded. Can be combined
     * with the other debugging options, and includes {@link #checkedRelease}.
     *
     * <p>While Flight Recorder records, it gets the profile at regular intervals. This keeps the
     * allocator reachable until it is {@linkplain MiMallocByteBufAllocator#close() closed}.
     *
     * @param bytes the mean number of allocated bytes from one sample to the next, 0 or more; 0,
     *     the default, takes no samples; 4,194,304 costs little
     * @return this builder
     */
    public Builder sampleLive(long bytes) {
      return set(Options.SAMPLE_LIVE, bytes);
    }

    /**
     * Sets whether the allocator's figures are available through JMX: as attributes of three beans
     * named {@code io.github.mimalloc4j:type=MiMallocByteBufAllocator,id=…,memory=…}, where {@code
     * id} is unique for each allocator and {@code memory} is {@code direct}, {@code heap} or {@code
     * process}. The beans keep the allocator reachable until it is {@linkplain
     * MiMallocByteBufAllocator#close() closed}. Failure to register them is logged.
     *
     * @param jmx default false
     * @return this builder
     */
    public Builder jmx(boolean jmx) {
      return set(Options.JMX, jmx);
    }

    /**
     * Builds the allocator.
     *
     * @return a new allocator with its own memory
     * @throws IllegalArgumentException if a value is out of range; the message names the option
     */
    public MiMallocByteBufAllocator build() {
      return new MiMallocByteBufAllocator(this);
    }

    /** For tests: sets what creates the thread heaps, unless a debugging option is set. */
    Builder heaps(ThreadHeaps.Factory heaps) {
      this.heaps = heaps;
      return this;
    }

    private <T> Builder set(Option<T> option, T value) {
      values.put(option, value);
      return this;
    }
  }
}
