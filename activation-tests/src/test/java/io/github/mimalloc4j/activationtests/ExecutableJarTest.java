package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.ExplicitUse;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Netty in jars within an executable jar, loaded by Spring Boot's loader; the agent's jar on the
 * system class path, where there is no Netty.
 */
class ExecutableJarTest {

  private static Path withoutLibrary;
  private static Path withLibrary;
  private static Path explicit;
  private static Path installing;

  @BeforeAll
  static void makeJars() throws IOException {
    withoutLibrary = ExecutableJars.springBoot("without-library", Echo.class, netty());
    withLibrary =
        ExecutableJars.springBoot("with-library", Echo.class, with(netty(), core(), library()));
    explicit =
        ExecutableJars.springBoot("explicit", ExplicitUse.class, with(netty(), core(), library()));
    installing =
        ExecutableJars.springBoot(
            "installing", InstallFirst.class, with(netty(), core(), library()));
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theAgentBringsTheLibrary(Jdk jdk) {
    withAgent(jdk, withoutLibrary).options(Program.CHOSEN).run().usesMiMalloc().isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theLibraryMayBeInTheApplicationToo(Jdk jdk) {
    withAgent(jdk, withLibrary).options(Program.CHOSEN).run().usesMiMalloc().isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void withoutThePropertyTheAgentChangesNothing(Jdk jdk) {
    withAgent(jdk, withLibrary)
        .run()
        .uses("AdaptiveByteBufAllocator")
        .saysThatTheAgentHasNoEffect();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void anApplicationMayUseTheLibraryByNameAlthoughTheAgentIsThere(Jdk jdk) {
    Outcome outcome =
        withAgent(jdk, explicit).options(Program.CHOSEN).run().usesMiMalloc().isQuiet();
    assertThat(outcome.value("explicitly used")).isEqualTo("true");
    outcome =
        withAgent(jdk, explicit)
            .run()
            .uses("AdaptiveByteBufAllocator")
            .saysThatTheAgentHasNoEffect();
    assertThat(outcome.value("explicitly used")).isEqualTo("true");
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void installingNeedsNoAgent(Jdk jdk) {
    Outcome outcome = program(jdk, installing).run().usesMiMalloc().isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  private static Program withAgent(Jdk jdk, Path jar) {
    return program(jdk, jar).agent(agent());
  }

  private static Program program(Jdk jdk, Path jar) {
    return Program.on(jdk).jar(jar);
  }
}
