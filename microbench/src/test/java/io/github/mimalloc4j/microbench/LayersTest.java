package io.github.mimalloc4j.microbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The layers that the package's description draws. */
class LayersTest {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "io", "github", "mimalloc4j", "microbench");
  private static final Pattern USE =
      Pattern.compile("io\\.github\\.mimalloc4j\\.microbench\\.(\\w+)\\b");

  private static final Set<String> SHARED =
      Set.of("allocator", "baseline", "trace", "workload", "jvm", "command", "page", "result");
  private static final Set<String> BENCHMARKS =
      Set.of("harness", "allocation", "threads", "access");

  /** What each application uses beside shared packages. */
  private static final Map<String, Set<String>> APPLICATIONS =
      Map.of(
          "compare", BENCHMARKS,
          "application", Set.of(),
          "footprint", Set.of(),
          "latency", Set.of(),
          "endtoend", Set.of("application"),
          "soak", Set.of(),
          "replay", Set.of(),
          "report", Set.of("compare", "footprint", "latency", "endtoend", "replay", "harness"));

  static Set<String> packages() throws IOException {
    try (Stream<Path> all = Files.list(SOURCES)) {
      return all.filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void everyPackageHasItsLayer() throws IOException {
    Set<String> all = new TreeSet<>(SHARED);
    all.addAll(BENCHMARKS);
    all.addAll(APPLICATIONS.keySet());

    assertThat(packages()).isEqualTo(all);
  }

  @ParameterizedTest
  @MethodSource("packages")
  void noPackageUsesOneAbove(String name) throws IOException {
    Set<String> allowed = new TreeSet<>(SHARED);
    if (BENCHMARKS.contains(name)) {
      allowed.addAll(BENCHMARKS);
    }
    allowed.addAll(APPLICATIONS.getOrDefault(name, Set.of()));
    allowed.add(name);

    try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
      for (Path file : files.toList()) {
        assertThat(USE.matcher(code(file)).results().map(use -> use.group(1)))
            .as("%s", file)
            .isSubsetOf(allowed);
      }
    }
  }

  /** Imports and all else but comments and texts. */
  private static String code(Path file) throws IOException {
    return Files.readString(file)
        .replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("//.*|\"[^\"\n]*\"", "");
  }
}
