package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.frameworks;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.spring;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import io.github.mimalloc4j.activationtests.programs.ReadFigures;
import io.github.mimalloc4j.activationtests.programs.Report;
import io.github.mimalloc4j.activationtests.programs.SpringListeners;
import io.github.mimalloc4j.activationtests.programs.VertxProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Netty, the program and (mostly) the library as named modules. */
class ModulePathTest {

  private static final String NETTY_OPENED =
      "io.netty.buffer/io.netty.buffer=io.github.mimalloc4j.netty";

  /** The modules that Vert.x needs, and itself. */
  private static final Pattern VERTX = Pattern.compile("(vertx-core|netty|jackson-core)-");

  private static Path plainProgram;
  private static Path installingProgram;
  private static Path readingProgram;
  private static Path springProgram;

  @BeforeAll
  static void makeModules() throws IOException {
    plainProgram =
        module(
            "plain",
            netty(),
            "requires io.netty.buffer; requires io.netty.common; requires io.netty.transport;",
            Echo.class);
    installingProgram =
        module(
            "installing",
            with(netty(), core(), library()),
            "requires io.github.mimalloc4j.netty;",
            Echo.class,
            InstallFirst.class);
    readingProgram =
        module(
            "reading",
            with(netty(), core(), library()),
            "requires io.github.mimalloc4j.netty; requires io.netty.buffer; requires java.management;",
            ReadFigures.class);
    springProgram =
        module(
            "springs",
            with(netty(), spring().toArray(Path[]::new)),
            "requires spring.context; requires spring.core; requires org.apache.commons.logging;"
                + " requires io.netty.buffer; requires io.netty.transport;",
            SpringListeners.class);
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentServesAProgramThatDoesNotKnowTheLibrary(Jdk jdk) {
    program(jdk, plainProgram)
        .agent(agent())
        .options(Program.CHOSEN)
        .run("-m", "plain/" + Echo.class.getName())
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentServesAProgramThatHasTheLibraryAsModule(Jdk jdk) {
    program(jdk, installingProgram, core(), library())
        .agent(agent())
        .options(Program.CHOSEN)
        .run("-m", "installing/" + Echo.class.getName())
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void withoutThePropertyTheAgentChangesNothing(Jdk jdk) {
    program(jdk, plainProgram)
        .agent(agent())
        .run("-m", "plain/" + Echo.class.getName())
        .uses("AdaptiveByteBufAllocator")
        .saysThatTheAgentHasNoEffect();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void installingNeedsNettysPackageOpened(Jdk jdk) {
    Outcome outcome =
        program(jdk, installingProgram, core(), library())
            .options("--add-opens", NETTY_OPENED)
            .run("-m", "installing/" + InstallFirst.class.getName())
            .usesMiMalloc()
            .isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void installingSaysWhatToOpen(Jdk jdk) {
    Outcome outcome =
        program(jdk, installingProgram, core(), library())
            .run("-m", "installing/" + InstallFirst.class.getName())
            .uses("AdaptiveByteBufAllocator")
            .warnsOnce("--add-opens " + NETTY_OPENED);
    assertThat(outcome.value("installed")).isEqualTo("false");
  }

  /** The changed class calls the library, which the module does not read by itself. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentServesVertx(Jdk jdk) {
    vertx(jdk).agent(agent()).options(Program.CHOSEN).run(VertxProgram.class).carriesTraffic();
  }

  /** Even where both packages are opened. */
  @Test
  void installingLeavesVertxAndNettyAlone() {
    Outcome outcome =
        vertx(Jdk.DEFAULT, core(), library())
            .options("--add-opens", NETTY_OPENED)
            .options(
                "--add-opens", "io.vertx.core/io.vertx.core.net.impl=io.github.mimalloc4j.netty")
            .run(VertxProgram.class, VertxProgram.INSTALL)
            .warnsOnce("VertxHandler cannot be changed, use -javaagent");
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
  }

  /** A program on the class path, with Vert.x and Netty as modules. */
  private static Program vertx(Jdk jdk, Path... library) {
    List<Path> modules =
        frameworks().stream()
            .filter(jar -> VERTX.matcher(jar.getFileName().toString()).lookingAt())
            .toList();
    return Program.on(jdk)
        .modulePath(with(modules, library))
        .classPath(List.of(programs()))
        .options("--add-modules", "ALL-MODULE-PATH");
  }

  /** What the application may not do, the agent does. */
  @Test
  void installingBesideTheAgentNeedsNothingOpened() {
    Outcome outcome =
        program(Jdk.DEFAULT, installingProgram, core(), library())
            .agent(agent())
            .options(Program.CHOSEN)
            .run("-m", "installing/" + InstallFirst.class.getName())
            .usesMiMalloc()
            .isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  /** Without the property, too: an application must not fail because of a dependency. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void springCanCreateTheListener(Jdk jdk) {
    Path[] others = with(spring(), core(), library()).toArray(Path[]::new);
    Outcome outcome =
        program(jdk, springProgram, others)
            .run("-m", "springs/" + SpringListeners.class.getName())
            .isQuiet();
    assertThat(outcome.value("listener")).isEqualTo("MiMallocApplicationListener");
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    outcome =
        program(jdk, springProgram, others)
            .options(Program.CHOSEN)
            .options("--add-opens", NETTY_OPENED)
            .run("-m", "springs/" + SpringListeners.class.getName())
            .isQuiet();
    assertThat(outcome.value("default")).isEqualTo("MiMallocByteBufAllocator");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void figuresCanBeReadByAnotherModuleAndThroughJmx(Jdk jdk) {
    Outcome outcome =
        program(jdk, readingProgram, core(), library())
            .options("-Dio.netty.allocator.mimalloc.jmx=true")
            .run("-m", "reading/" + ReadFigures.class.getName())
            .isQuiet();
    assertThat(outcome.value("allocations")).isEqualTo("1");
    assertThat(outcome.value("allocations by JMX")).isEqualTo("1");
    // Netty's package is not open to the library here: indices go through Netty's setters.
    assertThat(outcome.value("content")).isEqualTo("42");
    assertThat(outcome.value("indices")).isEqualTo("9 9");
  }

  private static Program program(Jdk jdk, Path program, Path... others) {
    return Program.on(jdk).modulePath(with(with(netty(), others), program));
  }

  /** Compiles some of the programs' sources into a module of their own. */
  private static Path module(
      String name, List<Path> dependencies, String requires, Class<?>... programs)
      throws IOException {
    Path sources = Files.createTempDirectory(JarFiles.workFolder(), name);
    Path classes = Files.createTempDirectory(JarFiles.workFolder(), name);
    Path descriptor = sources.resolve("module-info.java");
    String exports = "exports " + Report.class.getPackageName() + ";";
    Files.writeString(descriptor, "module " + name + " {" + requires + exports + "}");
    List<String> files =
        Stream.concat(Stream.of(Report.class), Stream.of(programs))
            .map(c -> "src/test/java/" + c.getName().replace('.', '/') + ".java")
            .toList();
    String modulePath =
        dependencies.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    String[] options = {
      "-proc:none", "-nowarn", "-d", classes.toString(), "-p", modulePath, descriptor.toString()
    };
    int exit =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                Stream.concat(Stream.of(options), files.stream()).toArray(String[]::new));
    assertThat(exit).isZero();
    return JarFiles.jar(name + ".jar", new Manifest(), entry -> true, classes);
  }
}
