package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.Echo;
import io.github.mimalloc4j.activationtests.programs.InstallFirst;
import io.github.mimalloc4j.activationtests.programs.WhatIsOpen;
import java.io.IOException;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent on a plain class path. */
class AgentTest {

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void itsJarIsAllThatAProgramNeeds(Jdk jdk) {
    Program.on(jdk)
        .agent(agent())
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void theProgramMayHaveTheLibraryToo(Jdk jdk) {
    Program.on(jdk)
        .agent(agent())
        .options(Program.CHOSEN)
        .classPath(with(netty(), core(), library(), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void itMayStandInJavaToolOptions(Jdk jdk) {
    Outcome outcome =
        Program.on(jdk)
            .environment("JAVA_TOOL_OPTIONS", "-javaagent:" + agent() + ' ' + Program.CHOSEN)
            .classPath(with(netty(), programs()))
            .run(Echo.class)
            .usesMiMalloc();
    // The JVM always says that it read the variable.
    assertThat(outcome.err().lines()).allMatch(l -> l.startsWith("Picked up JAVA_TOOL_OPTIONS"));
  }

  @Test
  void itMayBeNamedTwice() {
    Program.on(Jdk.DEFAULT)
        .agent(agent())
        .agent(agent())
        .options(Program.CHOSEN)
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .usesMiMalloc()
        .isQuiet();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void withoutThePropertyNettyKeepsItsDefault(Jdk jdk) {
    Program.on(jdk)
        .agent(agent())
        .classPath(with(netty(), programs()))
        .run(Echo.class)
        .uses("AdaptiveByteBufAllocator")
        .saysThatTheAgentHasNoEffect();
  }

  /** Of the library no class is loaded, and nothing is opened to the application. */
  @Test
  void withoutThePropertyNothingIsTouched() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(agent())
            .options("-Xlog:class+load:stdout")
            .classPath(with(netty(), programs()))
            .run(WhatIsOpen.class);
    assertThat(outcome.value("java.lang")).isEqualTo("closed");
    assertThat(outcome.out().lines())
        .filteredOn(l -> l.contains("io.github.mimalloc4j.") && !l.contains("activationtests."))
        .isNotEmpty()
        .allMatch(l -> l.contains("io.github.mimalloc4j.premain."));
  }

  @Test
  void nothingIsOpenedToTheApplication() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(agent())
            .options(Program.CHOSEN)
            .classPath(with(netty(), programs()))
            .run(WhatIsOpen.class)
            .isQuiet();
    assertThat(outcome.value("default")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.value("java.lang")).isEqualTo("closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"adaptive", "pooled", "Adaptive", "no-such-type"})
  void withAnotherTypeNettyDoesWhatItDoesWithoutAgent(String type) {
    Program plain =
        Program.on(Jdk.DEFAULT)
            .options("-Dio.netty.allocator.type=" + type)
            .classPath(with(netty(), programs()));
    String expected = plain.run(Echo.class).value("default");
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(agent())
            .options("-Dio.netty.allocator.type=" + type)
            .classPath(with(netty(), programs()))
            .run(Echo.class)
            .uses(expected);
    if (List.of("adaptive", "pooled").contains(type)) {
      outcome.isQuiet();
    } else {
      outcome.saysThatTheAgentHasNoEffect();
    }
  }

  /** By then the agent has changed the class, or is about to. */
  @Test
  void installingOnTopOfItTakesEffectToo() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(agent())
            .options(Program.CHOSEN)
            .classPath(with(netty(), core(), library(), programs()))
            .run(InstallFirst.class)
            .usesMiMalloc()
            .isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
  }

  /** An executable jar with everything in it needs no option at all but the property. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void anExecutableJarMayStartIt(Jdk jdk) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
    manifest
        .getMainAttributes()
        .putValue("Launcher-Agent-Class", "io.github.mimalloc4j.agent.MiMallocAgent");
    Program.on(jdk)
        .options(Program.CHOSEN)
        .jar(ExecutableJars.flat("launcher-" + jdk, manifest))
        .run()
        .usesMiMalloc()
        .isQuiet();
  }

  /** As Netty writes its own choices, and without claiming that the type is unknown. */
  @Test
  void nettysDebugLogNamesTheType() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(agent())
            .options(Program.CHOSEN, DebugLog.option())
            .classPath(with(netty(), programs()))
            .run(Echo.class);
    assertThat(outcome.err().lines())
        .anyMatch(l -> l.endsWith("-Dio.netty.allocator.type: mimalloc"))
        .noneMatch(l -> l.contains("unknown: mimalloc"));
  }
}
