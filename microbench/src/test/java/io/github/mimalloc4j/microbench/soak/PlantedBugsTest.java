package io.github.mimalloc4j.microbench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.mimalloc4j.microbench.allocator.AllocatorKind;
import io.github.mimalloc4j.microbench.allocator.BufferKind;
import io.github.mimalloc4j.microbench.command.CommandLines;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A soak that finds nothing proves nothing unless it finds these. */
@Timeout(300)
class PlantedBugsTest {
  private static final long OPERATIONS = 1_000_000;
  private static final Duration SOON = Duration.ofMillis(200);

  private final ResourceLeakDetector.Level leakDetection = ResourceLeakDetector.getLevel();

  /** Or buffers that these soaks drop would be reported in others. */
  @BeforeEach
  void turnLeakDetectionOff() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterEach
  void restoreLeakDetection() {
    ResourceLeakDetector.setLevel(leakDetection);
  }

  @Test
  void buffersThatOverlapAreFound() throws Exception {
    Subject subject = new Blind(PlantedAllocator::overlapping);

    assertThat(report(subject, BufferKind.HEAP))
        .containsAnyOf("two live buffers overlap: ", "a byte of a live buffer has changed: ");
  }

  @ParameterizedTest
  @EnumSource
  void aByteThatChangesIsFound(BufferKind kind) throws Exception {
    assertThat(report(Soaks.subject(PlantedAllocator::corrupting), kind))
        .contains("a byte of a live buffer has changed: ")
        .containsPattern(
            "buffer \\d+/\\d+ \\(" + kind.name().toLowerCase(Locale.ROOT) + ", [\\d,]+ bytes\\)")
        .containsPattern("byte \\d+ is 0x\\p{XDigit}{2}, not 0x\\p{XDigit}{2}")
        .containsPattern("while: \\w+ in life \\d+, ");
  }

  @Test
  void bytesOfAnotherBufferTellWhoseTheyAre() {
    Stamp stamp = new Stamp();
    ByteBuf buffer = Unpooled.buffer(20_000);
    stamp.write(buffer, Stamp.identity(12, 345), 0, 20_000);
    ByteBuf other = Unpooled.buffer(4000);
    stamp.write(other, Stamp.identity(7, 99), 0, 4000);
    buffer.setBytes(16_000, other, 800, 100);

    assertThatThrownBy(() -> stamp.check(Holding.of(buffer, Stamp.identity(12, 345))))
        .isInstanceOf(SoakFailure.class)
        .hasMessageContaining("byte 16000 is 0x")
        .hasMessageContaining("as a stamp, byte 800 of buffer 7/99");
  }

  @ParameterizedTest
  @EnumSource
  void memoryThatIsForgottenIsFoundAtAPause(BufferKind kind) throws Exception {
    assertThat(report(Soaks.subject(PlantedAllocator::leaking), kind))
        .contains("leaked or lost: ")
        .contains("while: inspecting the allocator while all threads are paused");
  }

  @Test
  void memoryThatIsForgottenIsFoundAtTheEnd() throws Exception {
    Subject subject = new Blind(PlantedAllocator::leaking);

    assertThat(report(subject, BufferKind.values()))
        .contains("leaked: everything was released, but ")
        .contains("while: waiting for memory to be given back");
  }

  @Test
  void memoryThatIsForgottenByAFailedAllocationIsFound() throws Exception {
    try (Failures failures = new Failures(Soaks.LIMIT_BYTES)) {
      Subject subject = Subject.failing(failures, PlantedAllocator::losingWhenItFails);

      assertThat(report(subject, BufferKind.values()))
          .contains("leaked or lost: ")
          .contains("while: inspecting the allocator");
    }
  }

  @Test
  void memoryThatDoesNotComeBackIsFound() throws Exception {
    MiMallocByteBufAllocator keeping =
        MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();
    Subject subject =
        new Subject(
            AllocatorKind.MIMALLOC, keeping, keeping, new Subject.Return(0, Duration.ZERO, SOON));

    assertThat(report(subject, BufferKind.values())).contains("nothing is live, but ", " are held");
  }

  @Test
  void aBrokenInvariantIsFound() throws Exception {
    Subject broken =
        new Blind(UnaryOperator.identity()) {
          @Override
          void checkAtRest(LiveRegistry live) {
            throw new AssertionError("planted");
          }
        };

    assertThat(report(broken, BufferKind.values())).contains("planted", "thread: main");
  }

  @Test
  void anErrorThatIsOnlyLoggedIsFound() throws Exception {
    AtomicBoolean logged = new AtomicBoolean();
    Subject logging = Soaks.subject(sound -> loggingOnce(sound, logged));

    assertThat(report(logging, BufferKind.values())).contains("errors were logged", "planted");
  }

  private static ByteBufAllocator loggingOnce(ByteBufAllocator sound, AtomicBoolean logged) {
    return new PlantedAllocator(
        sound,
        (any, direct, bytes, max) -> {
          if (!logged.getAndSet(true)) {
            Logger.getLogger(MiMallocByteBufAllocator.class.getName()).severe("planted");
          }
          return PlantedAllocator.allocate(sound, direct, bytes, max);
        });
  }

  /** As one that never leaves its heap. The others go on. */
  @Test
  void aThreadThatDoesNotEndIsFound() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    FastThreadLocal<Boolean> stuck =
        new FastThreadLocal<>() {
          @Override
          protected void onRemoval(Boolean value) throws Exception {
            over.await();
          }
        };
    AtomicBoolean planted = new AtomicBoolean();
    Subject subject =
        Soaks.subject(
            sound ->
                new PlantedAllocator(
                    sound,
                    (any, direct, bytes, max) -> {
                      if (Thread.currentThread() instanceof FastThreadLocalThread
                          && !planted.getAndSet(true)) {
                        stuck.set(true);
                      }
                      return PlantedAllocator.allocate(sound, direct, bytes, max);
                    }));
    try {
      assertThat(report(subject, BufferKind.values())).contains(" did not end within ");
    } finally {
      over.countDown();
    }
  }

  /** There the console sees nothing of it. */
  @Test
  void anErrorThatIsOnlyLoggedIsFoundOnABadDay() throws Exception {
    AtomicBoolean logged = new AtomicBoolean();
    try (Failures failures = new Failures(Soaks.LIMIT_BYTES)) {
      Subject logging = Subject.failing(failures, sound -> loggingOnce(sound, logged));

      assertThat(report(logging, BufferKind.values())).contains("errors were logged", "planted");
    }
  }

  @Test
  void failuresThatDoNotComeAboutAreFound() throws Exception {
    try (Failures failures = new Failures(Soaks.LIMIT_BYTES)) {
      Subject spared =
          new Subject(
              AllocatorKind.MIMALLOC,
              failures.allocator(),
              UnpooledByteBufAllocator.DEFAULT,
              Subject.Return.NONE,
              failures) {
            @Override
            void checkAtRest(LiveRegistry live) {}
          };
      assertThat(errors(spared, BufferKind.values())).startsWith("soak: too few failures");
    }
  }

  /** Runs the command as a user would, who must learn of the failure and how to repeat it. */
  private String report(Subject subject, BufferKind... kinds) throws Exception {
    String report = errors(subject, kinds);
    assertThat(report)
        .startsWith("soak FAILED: ")
        .contains("seed: " + Soaks.SEED + System.lineSeparator())
        .contains("again: java -jar microbench.jar soak ", "--seed " + Soaks.SEED);
    return report;
  }

  private String errors(Subject subject, BufferKind... kinds) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    SoakCommand command = new SoakCommand();
    CommandLines.of(command)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .parseArgs("--seed", "" + Soaks.SEED);

    int code = command.run(subject, Soaks.options(OPERATIONS, List.of(kinds)));

    String errors = err.toString();
    assertThat(code).as(errors).isEqualTo(1);
    assertThat(out.toString()).contains("seed: " + Soaks.SEED);
    return errors;
  }

  /** Does not look at the allocator during pauses. */
  private static class Blind extends Subject {
    Blind(UnaryOperator<ByteBufAllocator> front) {
      this(Soaks.allocator(), front);
    }

    private Blind(MiMallocByteBufAllocator allocator, UnaryOperator<ByteBufAllocator> front) {
      super(
          AllocatorKind.MIMALLOC,
          allocator,
          front.apply(allocator),
          new Return(0, Duration.ZERO, SOON));
    }

    @Override
    void checkAtRest(LiveRegistry live) {}
  }
}
