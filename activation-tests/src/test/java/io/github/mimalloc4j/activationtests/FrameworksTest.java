package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.frameworks;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.AttachLate;
import io.github.mimalloc4j.activationtests.programs.GrpcProgram;
import io.github.mimalloc4j.activationtests.programs.LettuceProgram;
import io.github.mimalloc4j.activationtests.programs.ReactorNettyProgram;
import io.github.mimalloc4j.activationtests.programs.VertxInChildLoader;
import io.github.mimalloc4j.activationtests.programs.VertxProgram;
import io.github.mimalloc4j.activationtests.programs.WebFluxProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs as they are, on the allocator: see {@link Outcome#carriesTraffic}. */
class FrameworksTest {

  private static Path webFlux;
  private static Path webFluxWithLibrary;

  @BeforeAll
  static void makeJars() throws IOException {
    webFlux = ExecutableJars.springBoot("webflux", WebFluxProgram.class, frameworks());
    webFluxWithLibrary =
        ExecutableJars.springBoot(
            "webflux-with-library", WebFluxProgram.class, with(frameworks(), core(), library()));
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void reactorNetty(Jdk jdk) {
    agent(jdk).run(ReactorNettyProgram.class).carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void vertx(Jdk jdk) {
    Outcome outcome = agent(jdk).options(Program.BEANS).run(VertxProgram.class).carriesTraffic();
    assertThat(outcome.number("owned heaps")).as("its event loops own heaps").isPositive();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void vertxAfterInstall(Jdk jdk) {
    Program.on(jdk)
        .classPath(with(frameworks(), core(), library(), programs()))
        .run(VertxProgram.class, VertxProgram.INSTALL)
        .carriesTraffic();
  }

  /** The agent sees what is defined, before it knows that it will be asked for. */
  @Test
  void vertxAfterInstallWithTheLibraryAsAgent() {
    Program.on(Jdk.DEFAULT)
        .agent(library())
        .classPath(with(frameworks(), core(), programs()))
        .run(VertxProgram.class, VertxProgram.INSTALL)
        .carriesTraffic();
  }

  /** Vert.x would release nothing that it receives. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void vertxThatIsLoadedTooEarlyKeepsNettysDefault(boolean libraryIsAgent) {
    Program program =
        Program.on(Jdk.DEFAULT).classPath(with(frameworks(), core(), library(), programs()));
    Outcome outcome =
        (libraryIsAgent ? program.agent(library()) : program)
            .run(VertxProgram.class, VertxProgram.LATE, VertxProgram.INSTALL);
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.out() + outcome.err())
        .contains("Netty stays as it is: Vert.x")
        .contains("is loaded already");
  }

  @Test
  void vertxThatIsLoadedWhenTheAgentComesKeepsNettysDefault() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .options(
                Program.CHOSEN, "-Djdk.attach.allowAttachSelf", "-XX:+EnableDynamicAgentLoading")
            .classPath(with(frameworks(), programs()))
            .run(
                AttachLate.class,
                JarFiles.agent().toString(),
                "io.vertx.core.net.impl.VertxHandler");
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    outcome.warnsOnce("Vert.x, which must be changed, is loaded already");
  }

  @Test
  void vertxByTheLibraryAsAgentIfTheClassIsLoadedTooEarly() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(library())
            .classPath(with(frameworks(), core(), programs()))
            .run(VertxProgram.class, VertxProgram.LATE);
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    outcome.warnsOnce("Vert.x, which must be changed, is loaded already");
  }

  /** Netty was changed by then, so there is nothing left to do but to warn. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anUnknownVertxInAnotherClassLoaderIsAWarning(boolean unknown) {
    List<Path> jars = unknown ? ChangedJars.vertxThatIsUnknown(frameworks()) : frameworks();
    Path vertx =
        jars.stream()
            .filter(jar -> jar.toString().contains("vertx-core-5"))
            .findFirst()
            .orElseThrow();
    Outcome outcome =
        agent(Jdk.DEFAULT, jars.stream().filter(jar -> !jar.equals(vertx)).toList())
            .run(VertxInChildLoader.class, vertx.toString());
    assertThat(outcome.value("default")).isEqualTo("MiMallocByteBufAllocator");
    if (unknown) {
      assertThat(outcome.err()).containsOnlyOnce("Vert.x WILL LEAK whatever it receives");
    } else {
      assertThat(outcome.err()).doesNotContain("Vert.x");
    }
  }

  /** Extensions change channels only, and not Vert.x. */
  @Test
  void anExtensionLeavesVertxAlone() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .options(Program.CHOSEN, "-Dio.netty.bootstrap.extensions=serviceload")
            .classPath(with(frameworks(), core(), library(), programs()))
            .run(VertxProgram.class);
    assertThat(outcome.value("default")).isEqualTo("PooledByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.number("used bytes")).isPositive();
    assertThat(outcome.out()).containsOnlyOnce("channels keep Netty's allocator");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void grpc(Jdk jdk) {
    agent(jdk)
        .options("-Dio.grpc.netty.useCustomAllocator=false")
        .run(GrpcProgram.class)
        .carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void lettuce(Jdk jdk) {
    agent(jdk).run(LettuceProgram.class).carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void springBootByTheAgent(Jdk jdk) {
    Program.on(jdk)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .jar(webFlux)
        .run()
        .carriesTraffic();
  }

  @Test
  void springBootByTheAgentWithTheLibraryInside() {
    Program.on(Jdk.DEFAULT)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .jar(webFluxWithLibrary)
        .run()
        .carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void springBootByJarAndPropertyAlone(Jdk jdk) {
    Outcome outcome = Program.on(jdk).options(Program.CHOSEN).jar(webFluxWithLibrary).run();
    outcome.carriesTraffic();
    assertThat(outcome.out()).doesNotContain("DEBUG");
  }

  /** Spring looks for listeners in the agent's jar, too. */
  @Test
  void springBootWithAnIdleAgent() {
    Outcome outcome = Program.on(Jdk.DEFAULT).agent(JarFiles.agent()).jar(webFlux).run();
    assertThat(outcome.value("default")).isEqualTo("AdaptiveByteBufAllocator");
    assertThat(outcome.value("echoed")).isEqualTo("true");
  }

  private static Program agent(Jdk jdk) {
    return agent(jdk, frameworks());
  }

  private static Program agent(Jdk jdk, List<Path> frameworks) {
    return Program.on(jdk)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .classPath(with(frameworks, programs()));
  }
}
