package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars that programs are put together from. */
final class JarFiles {

  private static final List<Path> CLASS_PATH =
      Arrays.stream(
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                  .split(File.pathSeparator))
          .map(Path::of)
          .toList();

  /** What belongs to the tests or to the library. */
  private static final List<String> NO_PROGRAM_PARTS =
      List.of(
          "allocator-",
          "junit-",
          "assertj-",
          "surefire-",
          "opentest4j-",
          "archunit",
          "micrometer-core-",
          "org.apache.felix.",
          "spring-boot-loader");

  private JarFiles() {}

  /** The agent's jar, with the library in it. */
  static Path agent() {
    return only("allocator-agent-");
  }

  /** The library's jar, which can be named as agent, too. */
  static Path library() {
    return only("allocator-netty-");
  }

  static Path core() {
    return only("allocator-core-");
  }

  /** Netty, as far as channels need it. */
  static List<Path> netty() {
    return List.of(
        only("netty-common-"),
        only("netty-buffer-"),
        only("netty-resolver-4"),
        only("netty-transport-4"));
  }

  /** Micrometer, as far as meters need it. */
  static List<Path> micrometer() {
    return List.of(
        only("micrometer-core-"), only("micrometer-commons-"), only("micrometer-observation-"));
  }

  /** Spring, as far as its listeners need it. */
  static List<Path> spring() {
    return List.of(only("spring-core-"), only("spring-context-"), only("commons-logging-"));
  }

  /** Another Netty: a folder into which the build copies one, such as {@code oldest41}. */
  static List<Path> netty(String version) {
    try (Stream<Path> jars = Files.list(Path.of(System.getProperty("activation.netty"), version))) {
      return jars.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An OSGi framework. */
  static Path felix() {
    return only("org.apache.felix.framework-");
  }

  /** The programs of the tests. */
  static Path programs() {
    return CLASS_PATH.stream().filter(p -> p.endsWith("test-classes")).findFirst().orElseThrow();
  }

  /** All programs' dependencies, frameworks among them; without the library. */
  static List<Path> frameworks() {
    return jars(name -> NO_PROGRAM_PARTS.stream().noneMatch(name::startsWith));
  }

  static List<Path> with(List<Path> jars, Path... others) {
    List<Path> result = new ArrayList<>(jars);
    result.addAll(List.of(others));
    return result;
  }

  /** A class path. */
  static String joined(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** A folder for what a test makes. */
  static Path workFolder() {
    try {
      return Files.createDirectories(Path.of(System.getProperty("activation.work")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a jar of all files in some folders that fit. */
  static Path jar(String name, Manifest manifest, Predicate<String> wanted, Path... folders)
      throws IOException {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    Path jar = workFolder().resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (Path folder : folders) {
        for (Path path : files(folder)) {
          String entry = folder.relativize(path).toString().replace(File.separatorChar, '/');
          if (wanted.test(entry)) {
            out.putNextEntry(new JarEntry(entry));
            Files.copy(path, out);
            out.closeEntry();
          }
        }
      }
    }
    return jar;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path only(String start) {
    List<Path> found = jars(name -> name.startsWith(start));
    assertThat(found).as("%s*.jar on the class path: run \"mvn verify\"", start).hasSize(1);
    return found.get(0);
  }

  private static List<Path> jars(Predicate<String> wanted) {
    return CLASS_PATH.stream()
        .filter(p -> p.toString().endsWith(".jar") && wanted.test(p.getFileName().toString()))
        .toList();
  }
}
