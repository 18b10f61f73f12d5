package io.github.mimalloc4j.microbench.soak;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Short soaks. */
final class Soaks {
  static final long SEED = 7;

  /** Of each kind, on a bad day: less than threads want to have live. */
  static final long LIMIT_BYTES = 4 << 20;

  private static final int RETAINED_BYTES = 64 << 10;
  private static final int TRIM_DELAY_MILLIS = 20;

  private static final Subject.Return RETURN =
      new Subject.Return(
          RETAINED_BYTES, Duration.ofMillis(2 * TRIM_DELAY_MILLIS), Duration.ofSeconds(20));

  private Soaks() {}

  static SoakOptions options(long operations, List<BufferKind> kinds) {
    return new SoakOptions(
        Duration.ofMinutes(3), operations, SEED, kinds, 2, 64 << 20, Duration.ofMillis(50));
  }

  /** Our allocator, which keeps little and gives back soon. */
  static MiMallocByteBufAllocator allocator() {
    return MiMallocByteBufAllocator.builder()
        .retainedTarget(RETAINED_BYTES)
        .trimDelayMillis(TRIM_DELAY_MILLIS)
        .build();
  }

  /** The same behind something else. */
  static Subject subject(UnaryOperator<ByteBufAllocator> front) {
    MiMallocByteBufAllocator allocator = allocator();
    return new Subject(AllocatorKind.MIMALLOC, allocator, front.apply(allocator), RETURN);
  }

  static Outcome run(Subject subject, SoakOptions options) throws InterruptedException {
    return new Soak(subject, options, (line, timeLeft) -> {}).run();
  }
}
