package io.github.mimalloc4j.activationtests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The JDKs that programs are started on. */
enum Jdk {
  /** The one that runs the tests. */
  DEFAULT(Optional.of(Path.of(System.getProperty("java.home")))),
  /** A JDK 25, if there is one: by JDK25_HOME, this one, or in a usual place, as in .ci/run. */
  JDK_25(findJdk25());

  private final Optional<Path> home;

  Jdk(Optional<Path> home) {
    this.home = home;
  }

  /** The JVM, or the test is reported as not run. */
  Path java() {
    assumeTrue(home.isPresent(), "no JDK 25 was found: not run");
    return home.get().resolve("bin/java");
  }

  private static Optional<Path> findJdk25() {
    List<Path> candidates = new ArrayList<>();
    String named = System.getenv("JDK25_HOME");
    if (named != null) {
      candidates.add(Path.of(named));
    }
    candidates.add(Path.of(System.getProperty("java.home")));
    addMatching(candidates, Path.of("/usr/lib/jvm"), "*25*");
    addMatching(
        candidates, Path.of(System.getProperty("user.home"), ".sdkman/candidates/java"), "25*");
    addMatching(candidates, Path.of("/opt/java"), "*25*");
    return candidates.stream().filter(Jdk::isVersion25).findFirst();
  }

  private static void addMatching(List<Path> candidates, Path folder, String glob) {
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
        found.forEach(candidates::add);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static boolean isVersion25(Path home) {
    try {
      return isExecutable(home.resolve("bin"), "java", "java.exe")
          && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"25");
    } catch (IOException e) {
      return false; // No JDK has no file "release".
    }
  }

  private static boolean isExecutable(Path folder, String... names) {
    return Stream.of(names).map(folder::resolve).anyMatch(Files::isExecutable);
  }
}
