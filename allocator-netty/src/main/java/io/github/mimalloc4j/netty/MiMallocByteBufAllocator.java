package io.github.mimalloc4j.netty;

import io.github.mimalloc4j.core.SegmentSizing;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;

/**
 * A {@link io.netty.buffer.ByteBufAllocator} after mimalloc's design.
 *
 * <pre>{@code
 * new ServerBootstrap()
 *     .childOption(ChannelOption.ALLOCATOR, MiMallocByteBufAllocator.DEFAULT)
 * }</pre>
 *
 * <p>Threads of Netty's event executors have heaps of their own; all other threads, virtual ones
 * among them, share some. A buffer may be released by any thread, also after the one that allocated
 * it has ended.
 *
 * <p>Each instance has memory of its own. Most applications need {@link #DEFAULT} alone.
 *
 * <p>Thread-safe.
 */
public final class MiMallocByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {

  /**
   * The allocator that all of a JVM may share. It prefers direct buffers unless {@code
   * -Dio.netty.noPreferDirect=true}.
   */
  public static final MiMallocByteBufAllocator DEFAULT =
      new MiMallocByteBufAllocator(PlatformDependent.directBufferPreferred());

  private final ThreadHeaps direct;
  private final ThreadHeaps array;
  private final MiMallocByteBufAllocatorMetric metric;

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
    SegmentSizing sizing = builder.sizing();
    direct = ThreadHeaps.direct(this, sizing);
    array = ThreadHeaps.array(this, sizing);
    metric = new MiMallocByteBufAllocatorMetric(direct, array);
  }

  /** Begins an allocator with other options than those of the system properties. */
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
    buffer.begin(initialCapacity, maxCapacity);
    ByteBuf leakAware = toLeakAwareBuffer(buffer);
    if (leakAware != buffer) {
      buffer.unbind();
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

    private boolean preferDirect = PlatformDependent.directBufferPreferred();
    private int minSegmentBytes = Options.MIN_SEGMENT_BYTES;
    private int maxSegmentBytes = Math.max(minSegmentBytes, Options.MAX_SEGMENT_BYTES);

    private Builder() {}

    /** Whether {@link MiMallocByteBufAllocator#buffer()} gives direct buffers. */
    public Builder preferDirect(boolean preferDirect) {
      this.preferDirect = preferDirect;
      return this;
    }

    /**
     * The size of the first segments that are obtained from the system.
     *
     * @param bytes a positive multiple of 16,384; default 524,288
     */
    public Builder minSegmentBytes(int bytes) {
      this.minSegmentBytes = bytes;
      return this;
    }

    /**
     * The size that segments grow to, and the largest request that shares one.
     *
     * @param bytes a positive multiple of 16,384, at least {@link #minSegmentBytes}; default
     *     8,388,608
     */
    public Builder maxSegmentBytes(int bytes) {
      this.maxSegmentBytes = bytes;
      return this;
    }

    /**
     * Makes the allocator.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names it
     */
    public MiMallocByteBufAllocator build() {
      return new MiMallocByteBufAllocator(this);
    }

    private SegmentSizing sizing() {
      return new SegmentSizing(
          minSegmentBytes, maxSegmentBytes, SegmentSizing.DEFAULT.growthShare());
    }
  }
}
