package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.AllocatorKind;
import io.github.mimalloc4j.microbench.BufferKind;
import io.github.mimalloc4j.netty.AllocatorAtRest;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** This project's allocator, with everything checked. */
final class OwnSubject implements Subject {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MiMallocByteBufAllocator inspected;
  private final ByteBufAllocator used;
  private final Return memoryReturn;

  /**
   * Makes a subject.
   *
   * @param inspected the allocator
   * @param used what workers allocate from: the same, or what tests put in front of it
   * @param memoryReturn what it promises
   */
  OwnSubject(MiMallocByteBufAllocator inspected, ByteBufAllocator used, Return memoryReturn) {
    this.inspected = inspected;
    this.used = used;
    this.memoryReturn = memoryReturn;
  }

  /** A fresh allocator with the options of the system properties. */
  static OwnSubject create() {
    MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
    Duration due = Duration.ofMillis(2 * AllocatorAtRest.defaultTrimDelayMillis());
    return new OwnSubject(
        allocator,
        allocator,
        new Return(AllocatorAtRest.defaultRetainedTarget(), due, due.plus(PATIENCE)));
  }

  @Override
  public ByteBufAllocator allocator() {
    return used;
  }

  @Override
  public long usedBytes(BufferKind kind) {
    return AllocatorKind.MIMALLOC.usedBytes(inspected, kind);
  }

  @Override
  public OptionalLong pinnedBytes(BufferKind kind) {
    return AllocatorKind.MIMALLOC.pinnedBytes(inspected, kind);
  }

  @Override
  public void checkAtRest(LiveRegistry live) throws InterruptedException {
    AllocatorAtRest.checkInvariants(inspected);
    for (BufferKind kind : BufferKind.values()) {
      long known = live.sum(kind, AllocatorAtRest::pinnedBytes);
      long pinned = pinnedBytes(kind).orElseThrow();
      if (known != pinned) {
        throw new SoakFailure(
            "leaked or lost: the blocks of live %s buffers have %,d bytes, the allocator says %,d"
                .formatted(kind, known, pinned));
      }
    }
  }

  @Override
  public Optional<Return> memoryReturn() {
    return Optional.of(memoryReturn);
  }
}
