package io.github.mimalloc4j.netty.misuse;

import static io.github.mimalloc4j.netty.support.Soundness.allocate;
import static io.github.mimalloc4j.netty.support.Soundness.assertNothingHeld;
import static io.github.mimalloc4j.netty.support.Soundness.assertSound;
import static io.github.mimalloc4j.netty.support.Soundness.blockBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocatorMetric;
import io.github.mimalloc4j.netty.MisuseEvent;
import io.github.mimalloc4j.netty.buffers.CountedBlock;
import io.github.mimalloc4j.netty.debugging.DebugGuard;
import io.github.mimalloc4j.netty.debugging.MisuseReports;
import io.github.mimalloc4j.netty.support.AllocatorLog;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.github.mimalloc4j.netty.support.Sneaky;
import io.github.mimalloc4j.netty.support.StampedTraffic;
import io.github.mimalloc4j.netty.support.ThreadKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each misuse that debug mode is for, planted; and programs without any, in which it finds none.
 */
@ExtendWith(LeakDetectionOff.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES) // a thread that failed may leave others waiting
class DebugModeTest {

  private static final byte WRITTEN = 0x5A;

  /** Of a block of 64 bytes. */
  private static final int SMALL = 48;

  private final Queue<MisuseEvent> events = new ConcurrentLinkedQueue<>();

  /** Gives nothing back on its own: what is written to after its release stays mapped. */
  private final MiMallocByteBufAllocator allocator =
      MiMallocByteBufAllocator.builder()
          .debug(true)
          .misuseListener(events::add)
          .trimDelayMillis(TimeUnit.HOURS.toMillis(1))
          .build();

  private final AllocatorLog log = new AllocatorLog();

  @AfterEach
  void closeLog() {
    log.close();
  }

  /** Who allocates, and whether the same thread releases. */
  enum Threads {
    OWNER(ThreadKind.EVENT_EXECUTOR, true),
    OWNER_AND_ANOTHER(ThreadKind.EVENT_EXECUTOR, false),
    PLAIN(ThreadKind.PLAIN, true);

    final ThreadKind kind;
    final boolean same;

    Threads(ThreadKind kind, boolean same) {
      this.kind = kind;
      this.same = same;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, true, OWNER",
    "100, true, OWNER",
    "100, true, OWNER_AND_ANOTHER",
    "100, true, PLAIN",
    "100, false, OWNER",
    "100, false, OWNER_AND_ANOTHER",
    "16709, true, OWNER_AND_ANOTHER",
    "200000, true, OWNER",
    "200000, true, OWNER_AND_ANOTHER",
    "200000, false, PLAIN",
    "3000000, true, OWNER"
  })
  void aWriteAfterReleaseIsFoundWhenTheBlockIsUsedAgain(
      int bytes, boolean direct, Threads threads) {
    threads.kind.call(
        () -> {
          ByteBuf buffer = allocateHere(direct, bytes);
          ByteBuffer raw = rawBlock(buffer);
          int block = blockBytes(buffer);
          int index = bytes / 2;
          release(buffer, threads.same);
          raw.put(index, WRITTEN);
          List<ByteBuf> others = allocateUntilFound(direct, bytes);
          MisuseEvent event = events.remove();
          assertThat(event.kind()).isEqualTo(MisuseEvent.Kind.WRITE_AFTER_RELEASE);
          assertThat(event.direct()).isEqualTo(direct);
          assertThat(event.capacity()).isEqualTo(bytes);
          assertThat(event.blockBytes()).isEqualTo(block);
          assertThat(event.damagedIndex()).isEqualTo(index);
          assertThat(event.found())
              .startsWith("5a db")
              .hasSize(3 * Math.min(16, block - index) - 1);
          assertThat(event.thread()).isEqualTo(Thread.currentThread().getName());
          assertThat(event.summary())
              .contains(
                  direct ? "direct buffer" : "heap buffer",
                  "written to after its release",
                  "capacity of " + bytes + " bytes",
                  "block of " + block + " bytes",
                  "index " + index,
                  "5a db",
                  event.thread());
          assertTrace(event.trace(), "allocateUntilFound");
          Throwable release = event.trace().getCause();
          assertTrace(release, threads.same ? "release" : "releaseHere");
          assertThat(release)
              .hasMessageContaining("released")
              .hasMessageContaining(threads.same ? event.thread() : "another thread");
          assertTrace(release.getCause(), "allocateHere");
          assertThat(release.getCause())
              .hasMessageContaining("allocated with a capacity of " + bytes);
          assertThat(others).as("all others than that set aside").noneMatch(o -> o == buffer);
          assertThat(rawIsPoison(raw, index + 1, block)).isTrue();
          others.forEach(ByteBuf::release);
          return null;
        });
    assertSound(allocator);
    assertThat(events).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, true, OWNER",
    "100, true, OWNER",
    "100, true, OWNER_AND_ANOTHER",
    "100, true, PLAIN",
    "100, false, OWNER",
    "100, false, OWNER_AND_ANOTHER",
    "112, true, OWNER",
    "16709, true, OWNER",
    "200000, true, OWNER_AND_ANOTHER",
    "200000, false, OWNER",
    "131072, true, OWNER",
    "9000000, true, OWNER_AND_ANOTHER",
    "9000000, false, OWNER"
  })
  void anOverrunIsFoundAtRelease(int bytes, boolean direct, Threads threads) {
    threads.kind.call(
        () -> {
          ByteBuf buffer = allocateHere(direct, bytes);
          ByteBuffer raw = rawBlock(buffer);
          for (int i = 0; i < bytes; i++) {
            buffer.setByte(i, i); // all that it may
          }
          raw.put(bytes, WRITTEN);
          release(buffer, threads.same);
          MisuseEvent event = events.remove();
          assertThat(event.kind()).isEqualTo(MisuseEvent.Kind.OVERRUN);
          assertThat(event.capacity()).isEqualTo(bytes);
          assertThat(event.damagedIndex()).isEqualTo(bytes);
          assertThat(event.found()).startsWith("5a db");
          assertThat(event.summary()).contains("beyond its end");
          assertTrace(event.trace().getCause(), threads.same ? "release" : "releaseHere");
          assertTrace(event.trace().getCause().getCause(), "allocateHere");
          return null;
        });
    assertThat(events).isEmpty();
    assertNothingHeld(allocator);
  }

  @Test
  void anOverrunByAddressIsFound() {
    ByteBuf buffer = allocator.directBuffer(1000);
    assumeTrue(buffer.hasMemoryAddress() && PlatformDependent.hasUnsafe(), "no access by address");
    PlatformDependent.putByte(buffer.memoryAddress() + 1000 + DebugGuard.SPARE_BYTES - 1, WRITTEN);
    long address = buffer.memoryAddress();
    buffer.release();
    MisuseEvent event = events.remove();
    assertThat(event.summary()).contains("0x" + Long.toHexString(address));
    assertThat(log.records())
        .singleElement()
        .returns(Level.SEVERE, LogRecord::getLevel)
        .returns(event.summary(), LogRecord::getMessage)
        .returns(event.trace(), LogRecord::getThrown);
    assertNothingHeld(allocator);
  }

  @Test
  void anOverrunOfAnArrayIsFound() {
    ByteBuf buffer = allocator.heapBuffer(1000);
    buffer.array()[buffer.arrayOffset() + 1000] = WRITTEN;
    buffer.release();
    assertThat(events.remove().summary()).contains("heap buffer", "5a db", "begins at offset 0");
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @CsvSource({"true, 101", "false, 101", "true, 5000", "false, 5000", "true, 50", "true, 10000000"})
  void anOverrunIsFoundWhenTheCapacityChanges(boolean direct, int newCapacity) {
    ByteBuf buffer = allocateHere(direct, 100);
    buffer.setByte(10, 10).setByte(99, 99);
    rawBlock(buffer).put(100, WRITTEN);
    buffer.capacity(newCapacity);
    assertThat(events.remove().kind()).isEqualTo(MisuseEvent.Kind.OVERRUN);
    assertThat(buffer.getByte(10)).isEqualTo((byte) 10);
    buffer.release();
    assertThat(events).as("told once").isEmpty();
    assertNothingHeld(allocator);
  }

  /** The end moves with the capacity, within the block and to another one. */
  @ParameterizedTest
  @CsvSource({"true, 60", "false, 60", "true, 104", "true, 3000", "false, 3000", "true, 300000"})
  void anOverrunOfTheNewCapacityIsFound(boolean direct, int newCapacity) {
    ByteBuf buffer = allocateHere(direct, 100);
    buffer.capacity(newCapacity);
    rawBlock(buffer).put(newCapacity, WRITTEN);
    buffer.release();
    assertThat(events.remove().damagedIndex()).isEqualTo(newCapacity);
    assertNothingHeld(allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteToTheBlockThatAGrownBufferLeftIsFound(boolean direct) {
    ByteBuf buffer = allocateHere(direct, 100);
    ByteBuffer raw = rawBlock(buffer);
    buffer.capacity(50_000);
    raw.put(7, WRITTEN);
    List<ByteBuf> others = allocateUntilFound(direct, 100);
    MisuseEvent event = events.remove();
    assertThat(event.damagedIndex()).isEqualTo(7);
    assertTrace(event.trace().getCause(), "capacity");
    assertTrace(event.trace().getCause().getCause(), "allocateHere");
    others.forEach(ByteBuf::release);
    buffer.release();
    assertThat(events).isEmpty();
  }

  /** As after a growth whose copy failed halfway. */
  @ParameterizedTest
  @CsvSource({"100, true, 0", "100, false, 0", "100, true, 1", "100, false, 1", "200000, true, 0"})
  void aBlockThatIsPutBackIsNotDamaged(int bytes, boolean direct, long sampleLive) {
    MiMallocByteBufAllocator sampling =
        MiMallocByteBufAllocator.builder()
            .debug(true)
            .misuseListener(events::add)
            .sampleLive(sampleLive)
            .build();
    ThreadKind.EVENT_EXECUTOR.call(
        () -> {
          ByteBuf block = allocate(sampling, direct, bytes).setByte(10, WRITTEN);
          ((CountedBlock) block).putBack();
          ByteBuf again = allocate(sampling, direct, bytes);
          assertThat(again).isSameAs(block);
          return again.release();
        });
    assertThat(events).isEmpty();
    assertNothingHeld(sampling);
    sampling.close(); // else Flight Recorder keeps it
  }

  @Test
  void damagedBlocksAreSetAsideWithinBounds() {
    int bytes = 4 << 20;
    int rounds = (int) (2 * MisuseReports.MAX_QUARANTINED_BYTES / bytes);
    for (int i = 0; i < rounds; i++) {
      ByteBuf buffer = allocateHere(true, bytes);
      ByteBuffer raw = rawBlock(buffer);
      buffer.release();
      raw.put(0, WRITTEN);
      allocateUntilFound(true, bytes).forEach(ByteBuf::release);
      events.remove();
    }
    assertThat(events).isEmpty();
    assertThat(allocator.metric().pinnedDirectMemory())
        .isBetween(1L, MisuseReports.MAX_QUARANTINED_BYTES);
  }

  @ParameterizedTest
  @CsvSource({"100, true", "100, false", "300000, true", "9000000, true"})
  void releasedBuffersSayWhoReleasedThem(int bytes, boolean direct) {
    ByteBuf buffer = allocateHere(direct, bytes);
    ByteBuf derived = buffer.slice(0, 50).duplicate();
    release(buffer, false);
    List<Runnable> uses =
        List.of(
            buffer::release,
            () -> buffer.release(2),
            buffer::retain,
            () -> buffer.getByte(0),
            () -> buffer.setLong(0, 0),
            () -> buffer.writeInt(0),
            () -> buffer.getBytes(0, new byte[10]),
            () -> buffer.capacity(10),
            () -> buffer.nioBuffer(0, 1),
            () -> buffer.readBytes(1),
            buffer::copy,
            () -> derived.getInt(0),
            derived::release);
    for (Runnable use : uses) {
      Throwable thrown = catchThrowable(use::run);
      assertThat(thrown).isInstanceOf(IllegalReferenceCountException.class);
      assertThat(thrown.getCause())
          .hasMessageContaining("released")
          .hasMessageContaining("another thread");
      assertTrace(thrown.getCause(), "releaseHere");
      assertTrace(thrown.getCause().getCause(), "allocateHere");
    }
    assertThat(buffer.refCnt()).isZero();
    assertThat(derived.refCnt()).isZero();
    assertThat(ByteBufUtil.isAccessible(buffer)).isFalse();
    assertThat(ByteBufUtil.isAccessible(derived)).isFalse();
    assertThat(buffer.toString()).contains("freed");
    assertThat(events).isEmpty();
    assertNothingHeld(allocator);
  }

  /** A buffer in use has no last release, whatever happened to its block before. */
  @Test
  void aBufferInUseDoesNotBlameAnEarlierRelease() {
    ThreadKind.EVENT_EXECUTOR.call(
        () -> {
          ByteBuf buffer = allocateHere(true, 100);
          buffer.release();
          ByteBuf again = allocateHere(true, 100);
          assertThat(again).isSameAs(buffer);
          assertThatThrownBy(() -> again.release(2))
              .isInstanceOf(IllegalReferenceCountException.class)
              .hasNoCause();
          return again.release();
        });
  }

  static Stream<Exception> exceptions() {
    return Stream.of(new IllegalStateException("planted"), new IOException("planted"));
  }

  @ParameterizedTest
  @MethodSource("exceptions")
  void aListenerThatFailsDoesNoHarm(Exception planted) {
    MiMallocByteBufAllocator failing =
        MiMallocByteBufAllocator.builder()
            .debug(true)
            .misuseListener(
                event -> {
                  throw Sneaky.asUnchecked(planted);
                })
            .build();
    ByteBuf buffer = failing.directBuffer(100);
    rawBlock(buffer).put(100, WRITTEN);
    assertThat(buffer.release()).isTrue();
    assertThat(log.records()).extracting(LogRecord::getLevel).contains(Level.SEVERE, Level.WARNING);
    assertNothingHeld(failing);
  }

  /** As one that sends an alert, which is given the blocks that are to be reported next. */
  @ParameterizedTest
  @CsvSource({"true, EVENT_EXECUTOR", "false, EVENT_EXECUTOR", "true, PLAIN"})
  void aListenerThatAllocatesIsToldOfAllDamage(boolean direct, ThreadKind kind) {
    int damaged = 5000;
    UsingListener listener =
        new UsingListener(alerting -> allocate(alerting, direct, SMALL).release());
    kind.call(
        () -> {
          List<ByteBuf> live = new ArrayList<>();
          for (int i = 0; i < 2 * damaged; i++) {
            live.add(allocate(listener.allocator, direct, SMALL));
          }
          for (int i = 0; i < damaged; i++) {
            ByteBuf buffer = live.remove(i); // of every page, half of the blocks
            ByteBuffer raw = rawBlock(buffer);
            buffer.release();
            raw.put(0, WRITTEN);
          }
          while (events.size() < damaged) {
            assertThat(live).as("in use").hasSizeLessThan(3 * damaged);
            live.add(allocate(listener.allocator, direct, SMALL));
          }
          live.forEach(ByteBuf::release);
          return null;
        });
    assertThat(events).hasSize(damaged);
    assertThat(log.records())
        .extracting(LogRecord::getMessage)
        .containsExactlyElementsOf(events.stream().map(MisuseEvent::summary).toList());
    assertThat(listener.deepest).isOne();
    assertSound(listener.allocator);
  }

  /** Of its damage the listener is told once, for that brings about more. */
  @Test
  void aListenerThatDoesDamageItselfIsNotCalledForEver() {
    UsingListener listener = new UsingListener(DebugModeTest::overrun);
    overrun(listener.allocator);
    assertThat(events).hasSize(2);
    assertThat(log.records()).as("of the program, and of each call").hasSize(3);
    assertThat(listener.deepest).isOne();
    overrun(listener.allocator);
    assertThat(events).as("told again").hasSize(4);
    assertNothingHeld(listener.allocator);
  }

  /** As one that closes the channel to which the buffer belongs. */
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aListenerMayReleaseABufferThatGrowsOrIsCopied(boolean direct, boolean grows) {
    ByteBuf[] used = new ByteBuf[1];
    UsingListener listener = new UsingListener(allocator -> used[0].release());
    ThreadKind.EVENT_EXECUTOR.call(
        () -> {
          ByteBuf damaged = allocate(listener.allocator, direct, 5000);
          ByteBuffer raw = rawBlock(damaged);
          used[0] = allocate(listener.allocator, direct, grows ? SMALL : 9000);
          damaged.release();
          raw.put(0, WRITTEN);
          ThrowingCallable call =
              grows ? () -> used[0].capacity(5000) : () -> used[0].copy(0, 5000);
          assertThatThrownBy(call).isInstanceOf(IllegalReferenceCountException.class);
          return null;
        });
    assertThat(events).hasSize(1);
    assertSound(listener.allocator);
    MiMallocByteBufAllocatorMetric metric = listener.allocator.metric();
    assertThat(direct ? metric.pinnedDirectMemory() : metric.pinnedHeapMemory())
        .as("the damaged block")
        .isEqualTo(5120);
  }

  /** What changes the capacity of a buffer of 1,000 bytes. Its block has 1,024. */
  enum Change {
    SHRINK(buffer -> buffer.capacity(900)),
    GROW_IN_BLOCK(buffer -> buffer.capacity(1008)),
    GROW(buffer -> buffer.capacity(5000)),
    WRITE(buffer -> buffer.writerIndex(1000).writeLong(1));

    final Consumer<ByteBuf> change;

    Change(Consumer<ByteBuf> change) {
      this.change = change;
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(Change.values())
        .flatMap(change -> Stream.of(arguments(true, change), arguments(false, change)));
  }

  /** As above. It is told of damage at the end of the buffer, and then uses another. */
  @ParameterizedTest
  @MethodSource("changes")
  void aListenerMayReleaseABufferWhoseCapacityChanges(boolean direct, Change change) {
    ByteBuf[] used = new ByteBuf[2];
    UsingListener listener =
        new UsingListener(
            allocator -> {
              used[0].release();
              used[1] = allocate(allocator, direct, 1000).writeZero(1000);
            });
    ThreadKind.EVENT_EXECUTOR.call(
        () -> {
          used[0] = allocate(listener.allocator, direct, 1000);
          rawBlock(used[0]).put(1000, WRITTEN);
          assertThatThrownBy(() -> change.change.accept(used[0]))
              .isInstanceOf(IllegalReferenceCountException.class)
              .cause()
              .hasMessageContaining("released");
          assertThatThrownBy(() -> used[0].getByte(0))
              .isInstanceOf(IllegalReferenceCountException.class);
          assertThat(used[1].capacity()).isEqualTo(1000);
          assertThat(ByteBufUtil.getBytes(used[1])).containsOnly(0);
          return used[1].release();
        });
    assertThat(events).hasSize(1);
    assertNothingHeld(listener.allocator);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListenerMayChangeTheCapacityThatChanges(boolean direct) {
    ByteBuf[] used = new ByteBuf[1];
    UsingListener listener = new UsingListener(allocator -> used[0].capacity(950));
    ThreadKind.EVENT_EXECUTOR.call(
        () -> {
          used[0] = allocate(listener.allocator, direct, 1000).writeZero(1000);
          rawBlock(used[0]).put(1000, WRITTEN);
          assertThatThrownBy(() -> used[0].capacity(900)).isInstanceOf(IllegalStateException.class);
          assertThat(used[0].capacity()).isEqualTo(950);
          assertThat(ByteBufUtil.getBytes(used[0])).hasSize(950).containsOnly(0);
          return used[0].release();
        });
    assertNothingHeld(listener.allocator);
  }

  /** The thread that releases the buffer then leaves its heap in the middle of the release. */
  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void aListenerMayCloseTheAllocator(ThreadKind kind) {
    UsingListener listener = new UsingListener(MiMallocByteBufAllocator::close);
    kind.call(
        () -> {
          ByteBuf other = listener.allocator.directBuffer(SMALL);
          overrun(listener.allocator);
          assertSound(listener.allocator);
          return other.release();
        });
    assertThat(events).hasSize(1);
    assertNothingHeld(listener.allocator);
  }

  /** As a listener that does, but it also sees what is only logged. */
  @Test
  void anAppenderThatDoesDamageItselfIsNotCalledForEver() {
    MiMallocByteBufAllocator allocator =
        MiMallocByteBufAllocator.builder().debug(true).misuseListener(events::add).build();
    try (AllocatorLog damaging =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            super.publish(entry);
            overrun(allocator);
          }
        }) {
      overrun(allocator);
      assertThat(damaging.records()).as("of the program, and of two calls").hasSize(3);
    }
    assertThat(events).as("of the program, and of the first call").hasSize(2);
    assertNothingHeld(allocator);
  }

  @Test
  void whatAListenerFindsThatThrowsAnErrorIsLogged() {
    AssertionError thrown = new AssertionError("planted");
    UsingListener listener =
        new UsingListener(
            failing -> {
              overrun(failing);
              throw thrown;
            });
    for (int i = 1; i <= 2; i++) {
      assertThatThrownBy(() -> overrun(listener.allocator)).isSameAs(thrown);
      assertThat(events).hasSize(i);
      assertThat(log.records()).hasSize(2 * i);
    }
    assertNothingHeld(listener.allocator);
  }

  @Test
  void aReleaseSucceedsWithoutJavaHeapForTheLog() {
    try (AllocatorLog full =
        new AllocatorLog() {
          @Override
          public void publish(LogRecord entry) {
            throw new OutOfMemoryError("planted");
          }
        }) {
      overrun(allocator);
      assertThat(full.records()).isEmpty();
    }
    assertThat(events).hasSize(1);
    assertNothingHeld(allocator);
  }

  private static void overrun(MiMallocByteBufAllocator allocator) {
    ByteBuf buffer = allocator.directBuffer(SMALL);
    rawBlock(buffer).put(SMALL, WRITTEN);
    buffer.release();
  }

  /** A listener that uses the allocator that calls it. */
  private final class UsingListener {

    final MiMallocByteBufAllocator allocator =
        MiMallocByteBufAllocator.builder()
            .debug(true)
            .misuseListener(this::told)
            .trimDelayMillis(TimeUnit.HOURS.toMillis(1))
            .build();

    final Consumer<MiMallocByteBufAllocator> use;
    int depth;
    int deepest;

    UsingListener(Consumer<MiMallocByteBufAllocator> use) {
      this.use = use;
    }

    private void told(MisuseEvent event) {
      events.add(event);
      depth++;
      deepest = Math.max(deepest, depth);
      try {
        use.accept(allocator);
      } finally {
        depth--;
      }
    }
  }

  @Test
  void anErrorNamesTheBytesThatTheBufferWasToHave() {
    MiMallocByteBufAllocator limited =
        MiMallocByteBufAllocator.builder().debug(true).maxDirectMemory(1 << 20).build();
    assertThatThrownBy(() -> limited.directBuffer(2_000_000))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("asked for 2000000 bytes");
    assertNothingHeld(limited);
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENT_EXECUTOR", "PLAIN"})
  void nothingIsFoundInARightProgram(ThreadKind kind) {
    SplittableRandom random = new SplittableRandom(1);
    StampedTraffic traffic = new StampedTraffic(allocator);
    List<ThreadKind.Running<Void>> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      StampedTraffic.Worker worker = traffic.new Worker(random.split());
      running.add(
          kind.start(
              () -> {
                for (int n = 0; n < 20_000; n++) {
                  worker.operate();
                }
                worker.leave();
                return null;
              }));
    }
    running.forEach(ThreadKind.Running::end);
    traffic.releaseAll(random);
    assertThat(events).isEmpty();
    assertNothingHeld(allocator);
  }

  private ByteBuf allocateHere(boolean direct, int bytes) {
    return allocate(allocator, direct, bytes);
  }

  private static void release(ByteBuf buffer, boolean here) {
    if (here) {
      assertThat(buffer.release()).isTrue();
    } else {
      ThreadKind.PLAIN.call(() -> releaseHere(buffer));
    }
  }

  private static boolean releaseHere(ByteBuf buffer) {
    Thread.currentThread().setName("another thread");
    return buffer.release();
  }

  /** The memory of a page that is gone, with nobody in between who could have written to it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWriteAfterReleaseIsFoundThoughTheMemoryIsAnotherBlock(boolean direct) {
    ThreadKind.PLAIN.call(
        () -> {
          ByteBuf buffer = allocate(allocator, direct, 200_000);
          ByteBuffer raw = rawBlock(buffer);
          buffer.release();
          raw.put(100, WRITTEN);
          ByteBuf other = allocate(allocator, direct, 150_000);
          assertThat(other).isNotSameAs(buffer);
          assertThat(events)
              .singleElement()
              .matches(event -> event.kind() == MisuseEvent.Kind.WRITE_AFTER_RELEASE)
              .matches(event -> event.damagedIndex() == 100);
          other.release();
          return null;
        });
  }

  /** A program that releases its buffers to get over it. */
  @Test
  @Tag("same-without-unsafe")
  void aReleaseNeedsNoJavaHeap() {
    OtherJvm.run(FullJavaHeap.class, "-Xmx16m", "-Dio.netty.leakDetection.level=disabled")
        .assertSucceeded();
  }

  static final class FullJavaHeap {

    private static final int COUNT = 100;

    private static Object @Nullable [] filler;

    private FullJavaHeap() {}

    public static void main(String[] args) {
      MiMallocByteBufAllocator allocator = MiMallocByteBufAllocator.builder().debug(true).build();
      ByteBuf[] buffers = new ByteBuf[COUNT];
      allocate(allocator, buffers);
      release(buffers); // loads and links what a release needs
      allocate(allocator, buffers);
      fill();
      int released;
      try {
        released = release(buffers);
      } finally {
        filler = null;
      }
      assertThat(released).isEqualTo(COUNT);
      assertNothingHeld(allocator);
    }

    private static void allocate(MiMallocByteBufAllocator allocator, ByteBuf[] buffers) {
      for (int i = 0; i < COUNT; i++) {
        buffers[i] = allocator.directBuffer(100);
      }
    }

    private static int release(ByteBuf[] buffers) {
      int released = 0;
      for (ByteBuf buffer : buffers) {
        released += buffer.release() ? 1 : 0;
      }
      return released;
    }

    /** Down to the last 16 bytes. */
    private static void fill() {
      for (int length = 1 << 16; length > 0; length = length == 1 ? 0 : length / 4) {
        try {
          while (true) {
            Object[] next = new Object[length];
            next[0] = filler;
            filler = next;
          }
        } catch (OutOfMemoryError e) {
          // Smaller ones may still have room.
        }
      }
    }
  }

  private List<ByteBuf> allocateUntilFound(boolean direct, int bytes) {
    List<ByteBuf> allocated = new ArrayList<>();
    while (events.isEmpty()) {
      assertThat(allocated).as("allocated, and the block was not among them").hasSizeLessThan(5000);
      allocated.add(allocate(allocator, direct, bytes));
    }
    return allocated;
  }

  /** The whole block, as an address, an array or a view of it gives access to it. */
  private static ByteBuffer rawBlock(ByteBuf buffer) {
    ByteBuffer block = buffer.internalNioBuffer(0, 0).duplicate().clear();
    assertThat(block.capacity()).isEqualTo(blockBytes(buffer));
    return block;
  }

  private static boolean rawIsPoison(ByteBuffer raw, int from, int to) {
    byte[] expected = new byte[to - from];
    Arrays.fill(expected, (byte) 0xDB);
    return raw.slice(from, to - from).equals(ByteBuffer.wrap(expected));
  }

  private static void assertTrace(Throwable trace, String method) {
    assertThat(trace).isNotNull();
    assertThat(trace.getStackTrace()).extracting(StackTraceElement::getMethodName).contains(method);
  }
}
