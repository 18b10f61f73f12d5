package io.github.mimalloc4j.planted;

import io.github.mimalloc4j.planted.PlantedBug.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jcstress.infra.runners.TestList;

/** The sources of the project's modules, by the simple names of their classes. */
final class Sources {

  private static final Path PROJECT = Path.of("..");

  private Sources() {}

  /** All planted bugs. */
  static List<PlantedBug> plantedBugs() {
    try (Stream<Path> files = Files.list(Path.of("src/test/planted"))) {
      return files.sorted().flatMap(file -> PlantedBugFile.parse(read(file)).stream()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The source of a class that is published.
   *
   * @throws IllegalArgumentException if there is not exactly one of that name
   */
  static Path ofMain(String simpleName) {
    List<Path> files = named(simpleName + ".java", "src/main/java");
    if (files.size() != 1) {
      throw new IllegalArgumentException("Not one class " + simpleName + " but " + files);
    }
    return files.get(0);
  }

  /** The name of a test with its package; as it is if there is no such test. */
  static String fullName(Kind kind, String test) {
    if (kind == Kind.STRESS) {
      String suffix = "." + test;
      return TestList.tests().stream().filter(n -> n.endsWith(suffix)).findAny().orElse(test);
    }
    String simpleName = test.substring(0, test.indexOf('#'));
    List<Path> files = named(simpleName + ".java", "src/test/java");
    if (files.size() != 1) {
      return test;
    }
    String text = read(files.get(0));
    int name = text.indexOf("package ") + "package ".length();
    return text.substring(name, text.indexOf(';', name)) + "." + test;
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files of all tests. */
  static Stream<Path> tests() {
    return in("src/test/java");
  }

  private static List<Path> named(String fileName, String folder) {
    return in(folder).filter(file -> file.endsWith(fileName)).toList();
  }

  private static Stream<Path> in(String folder) {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(PROJECT)) {
      for (Path module : modules.map(m -> m.resolve(folder)).filter(Files::isDirectory).toList()) {
        try (Stream<Path> found = Files.walk(module)) {
          found.forEach(files::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files.stream();
  }
}
