package io.github.mimalloc4j.netty.memory;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.used;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.OutOfMemoryEvent;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLimit;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Sneaky;
import io.github.mimalloc4j.netty.support.Soundness;
import io.github.mimalloc4j.netty.support.Stamp;
import io.netty.buffer.ByteBuf;
import io.netty.util.internal.OutOfDirectMemoryError;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** At the limits of memory, Netty's and the allocator's own: clear errors, and nothing is lost. */
@ExtendWith(LeakDetectionOff.class)
class LimitsTest {

  private static final int MIB = 1 << 20;
  private static final int LIMIT = 10 * MIB;

  /** Upkeep may hold the heap that has room, and an allocation at a limit waits a moment only. */
  private static final String WITHOUT_UPKEEP =
      "-Dio.netty.allocator.mimalloc.trimDelayMillis=3600000";

  private final List<OutOfMemoryEvent> events = new CopyOnWriteArrayList<>();
  private final MiMallocByteBufAllocator limited =
      MiMallocByteBufAllocator.builder()
          .preferDirect(true)
          .maxDirectMemory(LIMIT)
          .maxHeapMemory(LIMIT)
          .outOfMemoryListener(events::add)
          .trimDelayMillis(TimeUnit.HOURS.toMillis(1)) // as WITHOUT_UPKEEP
          .build();

  @ParameterizedTest
  @CsvSource({
    "1, true",
    "1000, true",
    "16709, true",
    "120000, true",
    "200000, true",
    "3000000, true",
    "9000000, true",
    "1000, false",
    "200000, false",
    "9000000, false"
  })
  void theLimitIsUsedUpAndNeverExceeded(int bytes, boolean direct) {
    List<ByteBuf> live = new ArrayList<>();
    OutOfMemoryError error = fill(live, bytes, direct);
    long used = used(limited, direct);
    assertThat(used).isLessThanOrEqualTo(LIMIT);
    assertThat(live.stream().mapToLong(Soundness::blockBytes).sum())
        .as("used up but for a block and the ends of pages")
        .isGreaterThan(LIMIT * 3L / 4 - bytes);
    assertThat(error)
        .hasMessageContaining("asked for " + bytes + " bytes of " + (direct ? "direct" : "heap"))
        .hasMessageContaining("uses " + used)
        .hasMessageContaining("are live and")
        .hasMessageContaining("retained")
        .hasMessageContaining("limit is " + LIMIT);
    assertSound(limited);
    // What is released can be had again at once.
    for (int i = 0; i < 10; i++) {
      live.remove(live.size() / 2).release();
      ByteBuf again = allocate(limited, direct, bytes);
      Stamp.write(again, i);
      Stamp.check(again, i);
      live.add(again);
    }
    live.forEach(ByteBuf::release);
    assertNothingHeld(limited);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBufferLargerThanTheLimitHasNothingTrimmed(boolean direct) {
    assertThat(failure(() -> allocate(limited, direct, LIMIT + 1)))
        .hasMessageContaining("asked for " + (LIMIT + 1));
    assertThat(retries(limited, direct)).isZero();
    assertNothingHeld(limited);
  }

  private static long retries(MiMallocByteBufAllocator allocator, boolean direct) {
    var metric = direct ? allocator.metric().direct() : allocator.metric().heap();
    return metric.counts().outOfMemoryRetries();
  }

  @Test
  void theListenerIsToldTheFigures() {
    List<ByteBuf> live = new ArrayList<>();
    fill(live, 100_000, true);
    assertThat(events).hasSize(1);
    OutOfMemoryEvent event = events.get(0);
    assertThat(event.direct()).isTrue();
    assertThat(event.requestedBytes()).isEqualTo(100_000);
    assertThat(event.usedBytes()).isEqualTo(used(limited, true));
    assertThat(event.liveBytes()).isEqualTo(limited.metric().pinnedDirectMemory());
    assertThat(event.retainedBytes()).isEqualTo(event.usedBytes() - event.liveBytes());
    assertThat(event.error()).hasMessageContaining("limit");
    live.forEach(ByteBuf::release);
  }

  /** As one that sends an alert: of either kind of memory, and it may fail in any way. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListenerThatAllocatesIsToldOfTheFailureButNotOfItsOwn(boolean passesItOn) {
    List<OutOfMemoryError> own = new ArrayList<>();
    AtomicReference<MiMallocByteBufAllocator> allocator = new AtomicReference<>();
    MiMallocByteBufAllocator alerting =
        MiMallocByteBufAllocator.builder()
            .maxDirectMemory(MIB)
            .maxHeapMemory(MIB)
            .outOfMemoryListener(
                event -> {
                  events.add(event);
                  own.add(failure(() -> allocator.get().directBuffer(3 * MIB)));
                  own.add(failure(() -> allocator.get().heapBuffer(3 * MIB)));
                  allocator.get().directBuffer(1000).release();
                  if (passesItOn) {
                    throw own.get(0);
                  }
                })
            .build();
    allocator.set(alerting);
    for (int failures = 1; failures <= 3; failures++) {
      boolean direct = failures % 2 > 0;
      assertThat(failure(() -> allocate(alerting, direct, 2 * MIB)))
          .hasMessageContaining("asked for " + 2 * MIB);
      assertThat(events).hasSize(failures);
      assertThat(own).hasSize(2 * failures);
    }
    assertThat(events).allMatch(event -> event.requestedBytes() == 2 * MIB);
    assertThat(own).allMatch(error -> error.getMessage().contains("asked for " + 3 * MIB));
    assertNothingHeld(alerting);
  }

  private static OutOfMemoryError failure(ThrowingCallable allocation) {
    return catchThrowableOfType(OutOfMemoryError.class, allocation);
  }

  /** As where there is no Java heap for the report: the JVM hides that behind other errors. */
  @Test
  void whatFailsInTheReportIsNotThrown() {
    List<Runnable> failures =
        List.of(
            () -> {
              throw new OutOfMemoryError("another");
            },
            () -> {
              throw new InternalError("linking");
            },
            () -> {
              throw new BootstrapMethodError();
            },
            () -> {
              throw new IllegalStateException("the test's listener");
            },
            () -> {
              throw Sneaky.asUnchecked(new IOException("the test's listener"));
            });
    for (Runnable failure : failures) {
      MiMallocByteBufAllocator exhausted =
          MiMallocByteBufAllocator.builder()
              .maxDirectMemory(MIB)
              .outOfMemoryListener(event -> failure.run())
              .build();
      assertThatThrownBy(() -> exhausted.directBuffer(2 * MIB))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("asked for " + 2 * MIB);
      exhausted.directBuffer(1000).release();
      assertNothingHeld(exhausted);
    }
  }

  @Test
  void growthBeyondTheLimitLeavesTheBufferAsItWas() {
    ByteBuf buffer = limited.directBuffer(6 * MIB);
    Stamp.write(buffer, 1);
    assertThatThrownBy(() -> buffer.capacity(7 * MIB)).isInstanceOf(OutOfMemoryError.class);
    Stamp.check(buffer, 1);
    buffer.release();
    assertNothingHeld(limited);
  }

  /** Netty's own limit keeps its own error, which programs know. */
  @Test
  void nettysLimitThrowsNettysErrorWithTheFigures() {
    NettyLimit.of(LIMIT).run(AtNettysLimit.class, WITHOUT_UPKEEP).assertSucceeded();
  }

  static final class AtNettysLimit {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      assertThat(failure(() -> allocator.directBuffer(LIMIT + 1)))
          .isInstanceOf(OutOfDirectMemoryError.class);
      assertThat(retries(allocator, true)).as("nothing that is given back helps").isZero();
      List<ByteBuf> live = new ArrayList<>();
      OutOfDirectMemoryError error = NettyLimit.reach(allocator, live);
      assertThat(error.getSuppressed()).hasSize(1);
      assertThat(error.getSuppressed()[0])
          .hasMessageContaining("asked for 100000 bytes of direct memory")
          .hasMessageContaining("uses " + used(allocator, true));
      live.remove(0).release();
      live.add(allocator.directBuffer(100_000));
      live.forEach(ByteBuf::release);
      assertNothingHeld(allocator);
    }
  }

  /**
   * What Netty does not count has no limit, and is not tried in vain: only a collection frees it.
   */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_21) // later ones need no Unsafe to free direct memory
  void aLimitThatDoesNotCountIsNone() {
    OtherJvm.run(
            BeyondALimitThatDoesNotCount.class,
            "-Dio.netty.noUnsafe=true",
            "-Dio.netty.maxDirectMemory=" + LIMIT,
            "-XX:MaxDirectMemorySize=" + 10 * LIMIT,
            "-XX:+DisableExplicitGC")
        .assertSucceeded();
  }

  static final class BeyondALimitThatDoesNotCount {
    public static void main(String[] args) {
      ByteBuf one = MiMallocByteBufAllocator.DEFAULT.directBuffer(4 * LIMIT);
      ByteBuf other = MiMallocByteBufAllocator.DEFAULT.directBuffer(4 * LIMIT);
      assertThat(one.release() && other.release()).isTrue();
    }
  }

  /** As of a length that a peer made up. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noGarbageIsCollectedForABufferLargerThanAllMemory(boolean unsafe) {
    OtherJvm.run(
            LargerThanAllMemory.class,
            "-Dio.netty.noUnsafe=" + !unsafe,
            "-Xms512m",
            "-Xmx512m",
            "-XX:MaxDirectMemorySize=512m",
            "-XX:MetaspaceSize=256m") // so that nothing else has garbage collected
        .assertSucceeded();
  }

  static final class LargerThanAllMemory {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.DEFAULT;
      long before = collections();
      for (int bytes : new int[] {600 * MIB, Integer.MAX_VALUE}) {
        for (boolean direct : new boolean[] {true, false}) {
          assertThat(failure(() -> allocate(allocator, direct, bytes))).isNotNull();
        }
      }
      assertThat(collections()).isEqualTo(before);
    }

    private static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }

  /**
   * Netty allows more than there is: the JDK's error is thrown, though Netty hides it in an
   * exception where it obtains memory from an arena.
   */
  @Test
  void theJdksLimitThrowsAnOutOfMemoryError() {
    List<String> options = new ArrayList<>(List.of("-Dio.netty.maxDirectMemory=" + 64 * LIMIT));
    if (Runtime.version().feature() >= 21) {
      options.add("-XX:+UnlockDiagnosticVMOptions");
      options.add("-XX:NativeMemoryTracking=summary");
      options.add("-XX:MallocLimit=other:" + 3 * LIMIT + ":oom"); // for all of the JVM
    } else {
      options.add("-XX:MaxDirectMemorySize=" + LIMIT);
    }
    OtherJvm.run(AtTheJdksLimit.class, options.toArray(String[]::new)).assertSucceeded();
  }

  static final class AtTheJdksLimit {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
      List<ByteBuf> live = new ArrayList<>();
      OutOfMemoryError error =
          catchThrowableOfType(
              OutOfMemoryError.class,
              () -> {
                while (live.size() < 8 * LIMIT / 100_000) {
                  live.add(allocator.directBuffer(100_000));
                }
              });
      assertThat(error).hasMessageContaining("asked for 100000 bytes of direct memory");
      assertSound(allocator);
      live.remove(0).release();
      live.add(allocator.directBuffer(100_000));
      live.forEach(ByteBuf::release);
      assertNothingHeld(allocator);
    }
  }

  @Test
  void outOfDirectMemoryIsAnErrorAndNeverAHeapBuffer() {
    ByteBuf any = limited.buffer(1000);
    boolean directByDefault =
        any.isDirect(); // by Netty's rule, which asks for more than the option
    any.release();
    limited.trim();
    ByteBuf all = limited.directBuffer(LIMIT);
    assertThatThrownBy(() -> limited.directBuffer(1000)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> limited.ioBuffer(1000)).isInstanceOf(OutOfMemoryError.class);
    if (directByDefault) {
      assertThatThrownBy(() -> limited.buffer(1000)).isInstanceOf(OutOfMemoryError.class);
    }
    assertThatThrownBy(() -> all.capacity(LIMIT + 1)).isInstanceOf(OutOfMemoryError.class);
    assertThat(all.isDirect()).isTrue();
    assertThat(limited.metric().usedHeapMemory()).isZero();
    all.release();
    ByteBuf again = limited.directBuffer(1000);
    assertThat(again.isDirect()).isTrue();
    again.release();
  }

  @Tag("same-without-unsafe")
  @Test
  void sizesNearTwoGibibytesFailAndLeaveEverythingAsItWas() {
    OtherJvm.run(
            OutOfMemoryPrograms.HugeSizes.class, "-Xmx64m", "-Dio.netty.maxDirectMemory=16777216")
        .assertSucceeded();
  }

  /** Without upkeep: a thread that finds the heap busy gets another one, and fills less. */
  @Tag("same-without-unsafe")
  @ParameterizedTest
  @ValueSource(ints = {10 * MIB, 16 * MIB})
  void anOutOfMemoryErrorInTheMiddleLosesNothing(int limit) {
    NettyLimit.of(limit)
        .run(OutOfMemoryPrograms.FillAgainAndAgain.class, "-Xmx256m", WITHOUT_UPKEEP)
        .assertSucceeded();
  }

  private OutOfMemoryError fill(List<ByteBuf> live, int bytes, boolean direct) {
    return catchThrowableOfType(
        OutOfMemoryError.class,
        () -> {
          while (true) {
            live.add(allocate(limited, direct, bytes));
          }
        });
  }
}
