package io.github.mimalloc4j.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.mimalloc4j.core.AllocatorProgram;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any sequence of operations leaves an allocator sound and in agreement with a model.
 *
 * <p>With {@code JAZZER_FUZZ=1} in the environment, {@link #fuzz} looks for inputs that fail; else
 * saved and pseudo-random ones are run. See {@code docs/proof.md}.
 */
class HeapFuzzTest {

  private static final int SEEDS = 100;
  private static final int MAX_BYTES = 900;

  /** Trims in one go and, so that all kinds of things happen in their midst, in many steps. */
  private static final int[] TRIM_PORTIONS = {HeapResources.TRIM_PORTION, 1};

  /** Planted where the owner of a block releases it. */
  private enum Bug {
    /** The control. */
    NONE(TestBlock::release),

    BLOCK_LOST(block -> {}),

    BLOCK_HANDED_OUT_TWICE(
        block -> {
          int other = block.slot == 0 ? 1 : 0;
          if (other < block.page.created()) {
            block.page.rebind(block.slot, block.page.block(other));
          }
          block.release();
        }),

    HOLDER_NOT_TOLD(
        block -> {
          if (block.page.heap() == null || block.page.hasFree()) {
            block.release();
          } else {
            block.page.deferred.push(block.slot);
          }
        }),

    SLICES_GIVEN_BACK_EARLY(
        block -> {
          block.release();
          if (block.page.heap() != null && !block.page.isEmpty() && !block.page.isGone()) {
            block.page.run.release();
          }
        });

    private final Consumer<TestBlock> releaser;

    Bug(Consumer<TestBlock> releaser) {
      this.releaser = releaser;
    }
  }

  @EnabledIfEnvironmentVariable(named = "JAZZER_FUZZ", matches = ".+")
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "5m")
  void fuzz(byte[] input) {
    run(input, Bug.NONE);
  }

  @ParameterizedTest
  @MethodSource
  void savedInputs(Path input) throws IOException {
    run(Files.readAllBytes(input), Bug.NONE);
  }

  static List<Path> savedInputs() throws IOException, URISyntaxException {
    Path folder = Path.of(HeapFuzzTest.class.getResource("HeapFuzzTestInputs").toURI());
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void pseudoRandomInputs() {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        run(pseudoRandom(seed), Bug.NONE);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsFound(Bug bug) {
    assertThat(IntStream.range(0, SEEDS)).as("failing seeds").anyMatch(seed -> fails(seed, bug));
  }

  private static boolean fails(int seed, Bug bug) {
    try {
      run(pseudoRandom(seed), bug);
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }

  /** What the fuzzer begins with, so that it need not find out how long a program is. */
  static Stream<byte[]> seeds() {
    return IntStream.range(0, 50).mapToObj(HeapFuzzTest::pseudoRandom);
  }

  private static byte[] pseudoRandom(int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(MAX_BYTES)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void run(byte[] input, Bug bug) {
    for (int trimPortion : TRIM_PORTIONS) {
      new AllocatorProgram(input, bug.releaser, trimPortion).run();
    }
  }
}
