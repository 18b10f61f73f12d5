package io.github.mimalloc4j.activationtests;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.springframework.boot.loader.tools.Library;
import org.springframework.boot.loader.tools.LibraryScope;
import org.springframework.boot.loader.tools.Repackager;

/** Applications in one jar. */
final class ExecutableJars {

  private static final String PROGRAMS = "io/github/mimalloc4j/activationtests/programs/";

  private ExecutableJars() {}

  /** An executable jar as Spring Boot's build plugins make it, with Spring Boot's loader. */
  static Path springBoot(String name, Class<?> main, List<Path> libraries) throws IOException {
    Path plain =
        JarFiles.jar(
            name + "-plain.jar",
            new Manifest(),
            entry -> entry.startsWith(PROGRAMS),
            JarFiles.programs());
    Path executable = JarFiles.workFolder().resolve(name + ".jar");
    Repackager repackager = new Repackager(plain.toFile());
    repackager.setMainClass(main.getName());
    repackager.repackage(
        executable.toFile(),
        callback -> {
          for (Path library : libraries) {
            File file = library.toFile();
            callback.library(new Library(file, LibraryScope.COMPILE));
          }
        });
    return executable;
  }

  /** An executable jar with the classes of Netty, the library and the programs side by side. */
  static Path flat(String name, Manifest manifest) throws IOException {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    Path programs =
        JarFiles.jar(
            name + "-programs.jar",
            new Manifest(),
            entry -> entry.startsWith(PROGRAMS),
            JarFiles.programs());
    List<Path> parts =
        JarFiles.with(JarFiles.netty(), JarFiles.core(), JarFiles.library(), programs);
    Path jar = JarFiles.workFolder().resolve(name + ".jar");
    Set<String> written = new HashSet<>();
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      written.add(JarFile.MANIFEST_NAME);
      for (Path part : parts) {
        copy(part, out, written);
      }
    }
    return jar;
  }

  private static void copy(Path from, JarOutputStream to, Set<String> written) throws IOException {
    try (JarFile file = new JarFile(from.toFile())) {
      for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (!entry.isDirectory() && written.add(entry.getName())) {
          to.putNextEntry(new JarEntry(entry.getName()));
          try (InputStream in = file.getInputStream(entry)) {
            in.transferTo(to);
          }
          to.closeEntry();
        }
      }
    }
  }
}
