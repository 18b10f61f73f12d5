package io.github.mimalloc4j.microbench.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The threads of this JVM that compile Java code. What they do during a short measurement says how
 * warm the JVM is, not what the measured code costs.
 */
public final class CompilerThreads {

  /** A JVM flag: no thread ends, so that the sum of what they used never falls. */
  public static final String FIXED_NUMBER = "-XX:-UseDynamicNumberOfCompilerThreads";

  private static final Path THREADS = Path.of("/proc/self/task");

  /** Names are cut off after 15 characters. */
  private static final String NAME = "C\\d CompilerThre.*";

  private static final List<Path> FOUND = find();

  private CompilerThreads() {}

  /**
   * Returns the processor time of all of them in nanoseconds; empty if the system does not tell.
   */
  public static OptionalLong cpuNanos() {
    try {
      long sum = 0;
      for (Path thread : FOUND) {
        String used = Files.readString(thread.resolve("schedstat"));
        sum += Long.parseLong(used.substring(0, used.indexOf(' ')));
      }
      return FOUND.isEmpty() ? OptionalLong.empty() : OptionalLong.of(sum);
    } catch (IOException | RuntimeException e) { // no such file, or one with other contents
      return OptionalLong.empty();
    }
  }

  private static List<Path> find() {
    try (Stream<Path> threads = Files.list(THREADS)) {
      return threads.filter(CompilerThreads::isOne).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean isOne(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip().matches(NAME);
    } catch (IOException e) { // it has ended
      return false;
    }
  }
}
