package io.github.mimalloc4j.microbench.soak;

import static java.util.Objects.requireNonNull;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.netty.AllocatorAtRest;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An allocator under test, and what it tells of itself. Netty's are controls: a soak that one of
 * them fails is wrong itself, or the allocator is.
 */
class Subject {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * What must have come back when nothing is live: the most that is used of each kind, after how
   * long, and after how long at the latest on machines that are busy with other things.
   */
  record Return(long retainedBytes, Duration due, Duration latest) {
    static final Return NONE = new Return(Long.MAX_VALUE, Duration.ZERO, Duration.ZERO);
  }

  final ByteBufAllocator allocator;
  final Return memoryReturn;
  private final AllocatorKind kind;
  private final ByteBufAllocator inspected;

  /** What fails on purpose; null if nothing does. */
  final @Nullable Failures failures;

  /** Workers allocate from what is inspected, or from what tests put in front of it. */
  Subject(
      AllocatorKind kind,
      ByteBufAllocator inspected,
      ByteBufAllocator allocator,
      Return memoryReturn) {
    this(kind, inspected, allocator, memoryReturn, null);
  }

  /** As above, where something fails on purpose. */
  Subject(
      AllocatorKind kind,
      ByteBufAllocator inspected,
      ByteBufAllocator allocator,
      Return memoryReturn,
      @Nullable Failures failures) {
    this.failures = failures;
    this.kind = kind;
    this.inspected = inspected;
    this.allocator = allocator;
    this.memoryReturn = memoryReturn;
  }

  /** A fresh allocator with the options of the system properties. */
  static Subject of(AllocatorKind kind) {
    ByteBufAllocator allocator = kind.create();
    return new Subject(
        kind, allocator, allocator, kind == AllocatorKind.MIMALLOC ? ownReturn() : Return.NONE);
  }

  /** Our allocator on a bad day, behind something else. */
  static Subject failing(Failures failures, UnaryOperator<ByteBufAllocator> front) {
    MiMallocByteBufAllocator allocator = failures.allocator();
    return new Subject(
        AllocatorKind.MIMALLOC, allocator, front.apply(allocator), ownReturn(), failures);
  }

  private static Return ownReturn() {
    Duration due = Duration.ofMillis(2 * AllocatorAtRest.defaultTrimDelayMillis());
    return new Return(AllocatorAtRest.defaultRetainedTarget(), due, due.plus(PATIENCE));
  }

  /** The bytes that it holds, in use or not. */
  long usedBytes(BufferKind buffers) {
    return requireNonNull(kind.usedBytes(inspected, buffers));
  }

  long usedBytes() {
    return requireNonNull(kind.usedBytes(inspected));
  }

  /** The bytes in use, exact while no thread is inside; null if it does not tell. */
  @Nullable Long pinnedBytes(BufferKind buffers) {
    return kind.pinnedBytes(inspected, buffers);
  }

  /** Checks what can be checked while no thread is inside; of peers nothing. */
  void checkAtRest(LiveRegistry live) throws InterruptedException {
    if (!(inspected instanceof MiMallocByteBufAllocator own)) {
      return;
    }
    AllocatorAtRest.check(own, () -> checkPinnedBytes(live));
  }

  private void checkPinnedBytes(LiveRegistry live) {
    for (BufferKind buffers : BufferKind.values()) {
      long known = live.sum(buffers, AllocatorAtRest::pinnedBytes);
      long pinned = requireNonNull(pinnedBytes(buffers));
      if (known != pinned) {
        throw new SoakFailure(
            "leaked or lost: the blocks of live %s buffers have %,d bytes, the allocator has %,d"
                .formatted(buffers, known, pinned));
      }
    }
  }
}
