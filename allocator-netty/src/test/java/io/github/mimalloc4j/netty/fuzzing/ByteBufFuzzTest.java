package io.github.mimalloc4j.netty.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.mimalloc4j.core.Invariants;
import io.github.mimalloc4j.netty.Insides;
import io.github.mimalloc4j.netty.MiMallocByteBufAllocator;
import io.github.mimalloc4j.netty.support.BufferKind;
import io.github.mimalloc4j.netty.support.ByteBufMethods;
import io.github.mimalloc4j.netty.support.LeakDetectionOff;
import io.github.mimalloc4j.netty.support.OtherJvm;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any sequence of calls does the same to a buffer as to Netty's unpooled heap buffer.
 *
 * <p>With {@code JAZZER_FUZZ=1} in the environment, {@link #fuzz} looks for inputs that fail; else
 * saved and pseudo-random ones are run. See {@code docs/proof.md}.
 */
@ExtendWith(LeakDetectionOff.class)
@Tag("netty-as-reference")
class ByteBufFuzzTest {

  private static final int SEEDS = 1000;
  private static final int MAX_BYTES = 600;

  /** Without upkeep: nobody is in it while it is checked. */
  private static final MiMallocByteBufAllocator ALLOCATOR =
      MiMallocByteBufAllocator.builder().trimDelayMillis(0).build();

  /** Makes the buffer that is tested. */
  private interface Subject {
    ByteBuf newBuffer(boolean direct, int initialCapacity, int maxCapacity);
  }

  @EnabledIfEnvironmentVariable(named = "JAZZER_FUZZ", matches = ".+")
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void fuzz(byte[] input) {
    run(input, method -> {});
  }

  @ParameterizedTest
  @MethodSource
  void savedInputs(Path input) throws IOException {
    run(Files.readAllBytes(input), method -> {});
  }

  static List<Path> savedInputs() {
    return SavedInputs.of(ByteBufFuzzTest.class);
  }

  /** And each method gets to do its work in them, not only to refuse. */
  @Test
  void pseudoRandomInputs() {
    Set<Method> succeeded = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      byte[] input = pseudoRandom(seed);
      try {
        run(input, succeeded::add);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    assertThat(succeeded).containsAll(ByteBufMethods.COMPARABLE);
  }

  /** Direct buffers are of another class then. */
  @Test
  void pseudoRandomInputsWithoutUnsafe() {
    List<String> options = new ArrayList<>(OtherJvm.coverageAgent());
    options.add("-Dio.netty.noUnsafe=true");
    options.add("-Dio.netty.leakDetection.level=disabled");
    OtherJvm.run(Program.class, options.toArray(String[]::new)).assertSucceeded();
  }

  /** {@link #pseudoRandomInputs} as the program of a JVM. */
  static final class Program {

    private Program() {}

    public static void main(String[] args) {
      new ByteBufFuzzTest().pseudoRandomInputs();
    }
  }

  @Test
  void everyPublicMethodIsComparedOrOfTheKind() {
    List<String> all = ByteBufMethods.all().stream().map(ByteBufMethods::signature).toList();
    assertThat(all).containsAll(ByteBufMethods.OF_THE_KIND).doesNotHaveDuplicates();
    assertThat(ByteBufMethods.COMPARABLE)
        .hasSize(all.size() - ByteBufMethods.OF_THE_KIND.size())
        .hasSizeGreaterThan(180);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsFound(FaultyByteBuf.Bug bug) {
    assertThat(IntStream.range(0, SEEDS)).as("failing seeds").anyMatch(seed -> fails(seed, bug));
  }

  /** Or a bug may seem to be found because the test fails anyway. */
  @Test
  void whereNoneIsPlantedNoneIsFound() {
    assertThat(IntStream.range(0, SEEDS))
        .as("failing seeds")
        .noneMatch(seed -> fails(seed, FaultyByteBuf.Bug.NONE));
  }

  private static boolean fails(int seed, FaultyByteBuf.Bug bug) {
    Subject faulty = (direct, initial, max) -> new FaultyByteBuf(bug, initial, max);
    try {
      run(new FuzzInput(pseudoRandom(seed)), faulty, method -> {});
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }

  /** What the fuzzer begins with, so that it need not find out how long a program is. */
  static Stream<byte[]> seeds() {
    return IntStream.range(0, 50).mapToObj(ByteBufFuzzTest::pseudoRandom);
  }

  private static byte[] pseudoRandom(int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(MAX_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void run(byte[] bytes, Consumer<Method> succeeded) {
    FuzzInput input = new FuzzInput(bytes);
    if (input.below(8) == 0) {
      BufferKind.onEventLoop(
          () -> {
            run(input, ByteBufFuzzTest::newBuffer, succeeded);
            return true;
          });
    } else {
      run(input, ByteBufFuzzTest::newBuffer, succeeded);
    }
    Invariants.check(Insides.directHeaps(ALLOCATOR).blockAllocator());
    Invariants.check(Insides.arrayHeaps(ALLOCATOR).blockAllocator());
    assertThat(ALLOCATOR.metric().pinnedDirectMemory()).as("pinned direct memory").isZero();
    assertThat(ALLOCATOR.metric().pinnedHeapMemory()).as("pinned heap memory").isZero();
  }

  private static void run(FuzzInput input, Subject subject, Consumer<Method> succeeded) {
    boolean direct = input.flag();
    int initial = 1 + (input.oneByte() < 240 ? input.oneByte() : input.below(65_536));
    int max = initial + (input.oneByte() < 200 ? input.oneByte() : 4 * input.below(65_536));
    ByteBuf tested = subject.newBuffer(direct, initial, max);
    ByteBuf reference = UnpooledByteBufAllocator.DEFAULT.heapBuffer(initial, max);
    new ByteBufProgram(input, tested, reference, ALLOCATOR, succeeded).run();
  }

  private static ByteBuf newBuffer(boolean direct, int initialCapacity, int maxCapacity) {
    return direct
        ? ALLOCATOR.directBuffer(initialCapacity, maxCapacity)
        : ALLOCATOR.heapBuffer(initialCapacity, maxCapacity);
  }
}
