package io.github.mimalloc4j.netty.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What a program can see of the library: a line for each class and for each of its members. */
final class PublicApi {

  private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;

  private PublicApi() {}

  /** That of the packages that the modules of some classes export to everyone. */
  static List<String> ofModulesOf(Class<?>... members) {
    List<String> lines = new ArrayList<>();
    for (Class<?> member : members) {
      Path location = locationOf(member);
      if (Files.isDirectory(location)) {
        lines.addAll(ofModule(location));
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(location)) {
          lines.addAll(ofModule(jar.getPath("/")));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return lines;
  }

  private static List<String> ofModule(Path classes) {
    List<String> lines = new ArrayList<>();
    for (String exported : exportedToAll(classes)) {
      lines.add("package " + exported);
      for (Class<?> type : classesIn(classes, exported)) {
        lines.addAll(of(type));
      }
    }
    return lines;
  }

  /** That of one class, without the name of its package; empty if it cannot be seen itself. */
  static List<String> of(Class<?> type) {
    if (!isVisible(type)) {
      return List.of();
    }
    Collection<String> members = new TreeSet<>();
    add(members, type.getDeclaredConstructors());
    // What it inherits from where nobody can look is its own.
    for (Class<?> declaring = type;
        declaring == type || declaring != null && !isVisible(declaring);
        declaring = declaring.getSuperclass()) {
      add(members, declaring.getDeclaredFields());
      add(members, declaring.getDeclaredMethods());
    }
    List<String> lines = new ArrayList<>(List.of(header(type)));
    members.forEach(member -> lines.add("  " + member));
    lines.replaceAll(line -> line.replace(type.getPackageName() + '.', ""));
    return lines;
  }

  private static String header(Class<?> type) {
    StringBuilder header = new StringBuilder(type.toGenericString());
    if (type.getGenericSuperclass() != null) {
      header.append(" extends ").append(type.getGenericSuperclass().getTypeName());
    }
    Arrays.stream(type.getGenericInterfaces())
        .forEach(parent -> header.append(" implements ").append(parent.getTypeName()));
    return header.toString();
  }

  private static void add(Collection<String> lines, Member[] members) {
    for (Member member : members) {
      if ((member.getModifiers() & VISIBLE) != 0 && !member.isSynthetic()) {
        lines.add(line(member));
      }
    }
  }

  private static String line(Member member) {
    return member instanceof Field field
        ? field.toGenericString()
        : member instanceof Constructor<?> constructor ? line(constructor) : line((Method) member);
  }

  /** How it is called; whether a method is native or locks is its own affair. */
  private static String line(Executable member) {
    return member.toGenericString().replaceFirst("\\b(native|synchronized|strictfp) ", "");
  }

  private static boolean isVisible(Class<?> type) {
    for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
      if ((outer.getModifiers() & VISIBLE) == 0 || outer.isAnonymousClass()) {
        return false;
      }
    }
    return true;
  }

  private static Path locationOf(Class<?> member) {
    try {
      URI location = member.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(location);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> exportedToAll(Path classes) {
    try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in).exports().stream()
          .filter(exports -> !exports.isQualified())
          .map(Exports::source)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Class<?>> classesIn(Path classes, String packageName) {
    try (Stream<Path> files = Files.list(classes.resolve(packageName.replace('.', '/')))) {
      List<Class<?>> found = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          String simple = name.substring(0, name.length() - ".class".length());
          found.add(
              Class.forName(packageName + '.' + simple, false, PublicApi.class.getClassLoader()));
        }
      }
      return found;
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
