package io.github.mimalloc4j.activationtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** A class as Netty or Vert.x might have it, compiled from source. */
record CompiledClass(String name, byte[] file) {

  /**
   * Compiles a class.
   *
   * @param members what follows in braces after its name
   */
  static CompiledClass of(String name, String members) throws IOException {
    Path folder = Files.createTempDirectory(JarFiles.workFolder(), "compiled");
    int dot = name.lastIndexOf('.');
    Path source = folder.resolve(name.substring(dot + 1) + ".java");
    Files.writeString(
        source,
        "package "
            + name.substring(0, dot)
            + "; import io.netty.buffer.*; class "
            + name.substring(dot + 1)
            + " { "
            + members
            + " }");
    int exit =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-proc:none",
                "-nowarn",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                source.toString());
    assertThat(exit).isZero();
    return new CompiledClass(
        name, Files.readAllBytes(folder.resolve(name.replace('.', '/') + ".class")));
  }

  /** Initialises another form of it, and so verifies it, in a class loader of its own. */
  Class<?> initialized(byte[] changed) throws ClassNotFoundException {
    ClassLoader loader =
        new ClassLoader(CompiledClass.class.getClassLoader()) {
          @Override
          protected Class<?> loadClass(String wanted, boolean resolve)
              throws ClassNotFoundException {
            return wanted.equals(name) && findLoadedClass(name) == null
                ? defineClass(name, changed, 0, changed.length)
                : super.loadClass(wanted, resolve);
          }
        };
    return Class.forName(name, true, loader);
  }
}
