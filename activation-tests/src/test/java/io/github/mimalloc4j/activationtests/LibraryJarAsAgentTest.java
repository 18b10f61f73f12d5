package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.frameworks;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.micrometer;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.ExplicitUse;
import io.github.mimalloc4j.activationtests.programs.MetersOfDefault;
import io.github.mimalloc4j.activationtests.programs.WebFluxProgram;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The library's own jar, named as agent. It is on the system class path then, where an executable
 * jar has no Netty.
 */
class LibraryJarAsAgentTest {

  private static final String DEFAULT = ByteBufAllocator.DEFAULT.getClass().getSimpleName();

  @Test
  void itIsAllThatAProgramNeeds() {
    agent()
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @Test
  void theThinAgentMayBeThereToo() {
    agent()
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  /** The system class loader has the library's classes, too, and cannot link them. */
  @Test
  void anApplicationMayUseTheLibraryByName() throws IOException {
    Path explicit =
        ExecutableJars.springBoot(
            "explicit-beside-library", ExplicitUse.class, with(netty(), core(), library()));
    Outcome outcome = agent().options(Program.CHOSEN).jar(explicit).run().usesMiMalloc().isQuiet();
    assertThat(outcome.value("explicitly used")).isEqualTo("true");
    outcome = agent().jar(explicit).run().uses(DEFAULT).isQuiet();
    assertThat(outcome.value("explicitly used")).isEqualTo("true");
  }

  /** As with the allocator, where the system class loader has no Micrometer. */
  @Test
  void anApplicationMayShowMeters() throws IOException {
    List<Path> nested = with(netty(), core(), library());
    nested.addAll(micrometer());
    Path metered =
        ExecutableJars.springBoot("meters-beside-library", MetersOfDefault.class, nested);
    Outcome outcome = agent().options(Program.CHOSEN).jar(metered).run().usesMiMalloc().isQuiet();
    assertThat(outcome.value("has meters")).isEqualTo("true");
    outcome = agent().jar(metered).run().uses(DEFAULT).isQuiet();
    assertThat(outcome.value("has meters")).isEqualTo("true");
  }

  /** Spring finds the library's listener in the agent's jar, where Spring is not. */
  @Test
  void springBootWithTheAgentIdle() throws IOException {
    Path webFlux =
        ExecutableJars.springBoot("webflux-beside-library", WebFluxProgram.class, frameworks());
    Outcome outcome = agent().jar(webFlux).run();
    assertThat(outcome.value("default")).isEqualTo(DEFAULT);
    assertThat(outcome.value("echoed")).isEqualTo("true");
  }

  private static Program agent() {
    return Program.on(Jdk.DEFAULT).agent(library());
  }
}
