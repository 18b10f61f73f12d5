package io.github.mimalloc4j.netty.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.NettyLimit;
import io.github.mimalloc4j.netty.support.Sneaky;
import io.github.mimalloc4j.netty.support.Soundness;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.github.mimalloc4j.netty.support.Together;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is logged when memory runs out: the figures, once, and nothing else happens by it. */
@ExtendWith(LeakDetectionOff.class)
class OutOfMemoryDumpTest {

  private static final int MIB = 1 << 20;

  private static MiMallocByteBufAllocator newLimited() {
    // Upkeep would hold the heap, and who finds it busy needs another page.
    return MiMallocByteBufAllocator.builder()
        .maxDirectMemory(MIB)
        .maxHeapMemory(MIB)
        .trimDelayMillis(TimeUnit.HOURS.toMillis(1))
        .build();
  }

  private static OutOfMemoryError fail(MiMallocByteBufAllocator allocator, boolean direct) {
    return catchThrowableOfType(
        OutOfMemoryError.class, () -> Soundness.allocate(allocator, direct, 2 * MIB));
  }

  private static void assertIsTheUsualError(OutOfMemoryError error) {
    assertThat(error)
        .hasMessageContaining("The allocator's limit is " + MIB)
        .hasMessageContaining("asked for " + 2 * MIB);
    assertThat(error.getSuppressed()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofManyFailuresOnManyThreadsOneIsLogged(boolean direct) {
    try (AllocatorLog log = new AllocatorLog();
        MiMallocByteBufAllocator limited = newLimited()) {
      List<Callable<List<OutOfMemoryError>>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        tasks.add(
            () -> {
              List<OutOfMemoryError> errors = new ArrayList<>();
              for (int n = 0; n < 50; n++) {
                errors.add(fail(limited, direct));
              }
              return errors;
            });
      }
      List<List<OutOfMemoryError>> errors = Together.on(ThreadKind.PLAIN, tasks);
      assertThat(errors).allSatisfy(some -> assertThat(some).hasSize(50));
      errors.forEach(some -> some.forEach(OutOfMemoryDumpTest::assertIsTheUsualError));
      assertThat(log.records()).hasSize(1);
      assertThat(log.records().get(0).getMessage())
          .startsWith("Out of memory: asked for " + 2 * MIB + " bytes of ")
          .contains("segments obtained");
    }
  }

  @Test
  void eachAllocatorLogsItsOwn() {
    try (AllocatorLog log = new AllocatorLog();
        MiMallocByteBufAllocator first = newLimited();
        MiMallocByteBufAllocator second = newLimited()) {
      for (MiMallocByteBufAllocator each : List.of(first, second, first)) {
        assertIsTheUsualError(fail(each, true));
      }
      assertThat(log.records()).hasSize(2);
    }
  }

  @Test
  void anAllocationThatASecondAttemptSavesIsNotLogged() {
    try (AllocatorLog log = new AllocatorLog();
        MiMallocByteBufAllocator limited = newLimited()) {
      for (int i = 0; i < 20; i++) {
        limited.directBuffer(100 << 10).release();
        limited.directBuffer(MIB).release();
      }
      assertThat(log.records()).isEmpty();
    }
  }

  @Test
  void itIsLoggedAgainAnHourLater() {
    try (AllocatorLog log = new AllocatorLog()) {
      AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
      OutOfMemoryDump dump = new OutOfMemoryDump(() -> "the page", now::get, () -> Long.MAX_VALUE);
      dump.log("one");
      now.addAndGet(TimeUnit.HOURS.toNanos(1) - 1);
      dump.log("two");
      now.incrementAndGet();
      dump.log("three");
      dump.log("four");
      assertThat(log.records())
          .extracting(LogRecord::getMessage)
          .hasSize(2)
          .allMatch(message -> message.endsWith("the page"));
      assertThat(log.records().get(1).getMessage()).startsWith("Out of memory: three. ");
    }
  }

  @Test
  void withTooLittleJavaHeapNothingIsLoggedAndTheHourIsNotUsedUp() {
    AtomicLong left = new AtomicLong(OutOfMemoryDump.JAVA_HEAP_BYTES - 1);
    AtomicInteger pages = new AtomicInteger();
    OutOfMemoryDump dump =
        new OutOfMemoryDump(() -> "page " + pages.incrementAndGet(), () -> 0, left::get);
    try (AllocatorLog log = new AllocatorLog()) {
      dump.log("one");
      assertThat(log.records()).isEmpty();
      assertThat(pages).as("its classes are not even loaded").hasValue(0);
      left.incrementAndGet();
      dump.log("two");
      assertThat(log.records()).hasSize(1);
    }
  }

  @Test
  void aPageThatCannotBeMadeDoesNotUseUpTheHour() {
    int[] calls = {0};
    OutOfMemoryDump dump =
        new OutOfMemoryDump(
            () -> {
              if (calls[0]++ == 0) {
                throw new OutOfMemoryError("planted");
              }
              return "the page";
            });
    try (AllocatorLog log = new AllocatorLog()) {
      dump.log("one");
      assertThat(log.records()).isEmpty();
      dump.log("two");
      assertThat(log.records()).hasSize(1);
    }
  }

  @Test
  void aLongPageIsCut() {
    try (AllocatorLog log = new AllocatorLog()) {
      new OutOfMemoryDump(() -> "figure ".repeat(100_000)).log("failure");
      assertThat(log.records().get(0).getMessage()).hasSizeLessThan(21_000).endsWith("...");
    }
  }

  @Test
  void whatFailsInThePageIsNotThrown() {
    Throwable[] failures = {
      new OutOfMemoryError("no Java heap"), new StackOverflowError(), new IllegalStateException()
    };
    for (Throwable failure : failures) {
      new OutOfMemoryDump(
              () -> {
                throw Sneaky.asUnchecked(failure);
              })
          .log("failure");
    }
  }

  /** Appenders that throw, and those that allocate from where there is no memory. */
  @Test
  void whatTheLogDoesChangesNothing() {
    MiMallocByteBufAllocator limited = newLimited();
    AtomicInteger calls = new AtomicInteger();
    try (AllocatorLog log =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            calls.incrementAndGet();
            limited.directBuffer(2 * MIB);
          }
        }) {
      assertIsTheUsualError(fail(limited, true));
      assertIsTheUsualError(fail(limited, true));
      assertThat(calls).hasValue(1);
      assertThat(log.records()).isEmpty();
    }
    limited.directBuffer(1000).release();
    Soundness.assertNothingHeld(limited);
  }

  @Test
  void nettysErrorStaysAsItIs() {
    String output = NettyLimit.of(8 * MIB).run(AtNettysLimit.class).assertSucceeded().output();
    assertThat(output.split("Out of memory: ", -1)).hasSize(2);
    assertThat(output).contains("heaps by thread, direct memory");
  }

  static final class AtNettysLimit {
    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = new MiMallocByteBufAllocator(true);
      List<ByteBuf> live = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        assertThat(NettyLimit.reach(allocator, live).getSuppressed()).hasSize(1);
      }
      live.forEach(ByteBuf::release);
    }
  }
}
