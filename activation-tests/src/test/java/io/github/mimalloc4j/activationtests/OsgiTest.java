package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.felix;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.OsgiEcho;
import io.github.mimalloc4j.activationtests.programs.OsgiFramework;
import io.github.mimalloc4j.activationtests.programs.OsgiInstall;
import io.github.mimalloc4j.activationtests.programs.OsgiPlainEcho;
import io.github.mimalloc4j.activationtests.programs.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.osgi.framework.BundleActivator;

/** Netty, the library and a program as bundles of an OSGi framework. */
class OsgiTest {

  private static final String NETTY =
      "io.netty.bootstrap, io.netty.buffer, io.netty.channel, io.netty.channel.embedded,"
          + " io.netty.channel.nio, io.netty.channel.socket, io.netty.channel.socket.nio,"
          + " io.netty.util, io.netty.util.concurrent";

  private static final String PUBLIC = ", io.github.mimalloc4j.netty";

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void aBundleUsesTheAllocator(Jdk jdk) throws IOException {
    Outcome outcome = run(program(jdk), with(netty(), core(), library()), OsgiEcho.class, PUBLIC);
    assertThat(outcome.value("io.github.mimalloc4j.core")).isEqualTo("started");
    assertThat(outcome.value("io.github.mimalloc4j.netty")).isEqualTo("started");
    assertThat(outcome.value("program")).isEqualTo("started");
    assertThat(outcome.value("server child")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.number("used by ours")).isPositive();
    nobodyButTheFrameworkWarns(outcome);
  }

  @Test
  void theCoreIsForTheLibraryAlone() throws IOException {
    Outcome outcome =
        run(
            program(Jdk.DEFAULT),
            with(netty(), core(), library()),
            OsgiEcho.class,
            PUBLIC + ", io.github.mimalloc4j.core");
    assertThat(outcome.value("program"))
        .contains("missing requirement", "io.github.mimalloc4j.core");
  }

  @Test
  void installingSaysWhyItCannot() throws IOException {
    Outcome outcome =
        run(program(Jdk.DEFAULT), with(netty(), core(), library()), OsgiInstall.class, PUBLIC);
    assertThat(outcome.value("installed")).isEqualTo("false");
    outcome
        .uses("AdaptiveByteBufAllocator")
        .warnsOnce("Netty's class loader does not see this library");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentServesABundleThatDoesNotKnowTheLibrary(Jdk jdk) throws IOException {
    Program program = program(jdk).agent(agent()).options(Program.CHOSEN);
    Outcome outcome = run(program, netty(), OsgiPlainEcho.class, "").usesMiMalloc();
    nobodyButTheFrameworkWarns(outcome);
    assertThat(outcome.value("trimmed"))
        .as("reaches javax.management, which Netty's bundle does not import")
        .isIn(
            "native heap trimming: on",
            "native heap trimming: not possible: java.lang.UnsupportedOperationException:"
                + " this JVM has no command System.trim_native_heap");
  }

  /** Felix uses Unsafe, of which JDK 25 warns. */
  private static void nobodyButTheFrameworkWarns(Outcome outcome) {
    assertThat(outcome.warnings())
        .noneMatch(line -> line.toLowerCase(Locale.ROOT).matches(".*(mimalloc|netty).*"));
  }

  private static Program program(Jdk jdk) {
    return Program.on(jdk).classPath(List.of(felix(), programs()));
  }

  private static Outcome run(
      Program program,
      List<Path> bundles,
      Class<? extends BundleActivator> activator,
      String moreImports)
      throws IOException {
    Path folder = Files.createTempDirectory(JarFiles.workFolder(), "osgi");
    Stream<Path> all = with(bundles, bundle(activator, NETTY + moreImports)).stream();
    return program.run(
        OsgiFramework.class,
        Stream.concat(Stream.of(folder), all).map(Path::toString).toArray(String[]::new));
  }

  private static Path bundle(Class<? extends BundleActivator> activator, String imports)
      throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.putValue("Bundle-ManifestVersion", "2");
    headers.putValue("Bundle-SymbolicName", "program");
    headers.putValue("Bundle-Activator", activator.getName());
    headers.putValue("Import-Package", "org.osgi.framework, " + imports);
    String folder = Report.class.getPackageName().replace('.', '/');
    return JarFiles.jar(
        activator.getSimpleName() + ".jar", manifest, e -> e.startsWith(folder), programs());
  }
}
