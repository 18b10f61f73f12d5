package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.agent;
import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.netty;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.InstallAndShow;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Class-data sharing, and the AOT caches that came with JDK 24. */
class ArchivedClassesTest {

  private static final String OURS = "MiMallocByteBufAllocator";
  private static final String DEFAULT = ByteBufAllocator.DEFAULT.getClass().getSimpleName();

  /** With it the program does not activate the allocator. */
  private static final String PLAIN = "plain";

  /** Archives are made of jars only. */
  private static Path programs;

  @BeforeAll
  static void makeJar() throws IOException {
    programs =
        JarFiles.jar(
            "archived-programs.jar",
            new Manifest(),
            entry -> entry.contains("/activationtests/programs/"),
            JarFiles.programs());
  }

  /** Netty's class is in the archive, and is loaded when it is asked for. */
  @ParameterizedTest
  @EnumSource(Jdk.class)
  void anArchiveServesAllRoutes(Jdk jdk) {
    Path archive = JarFiles.workFolder().resolve("classes-" + jdk + ".jsa");
    assertThat(program(jdk, "-XX:ArchiveClassesAtExit=" + archive).run(main(), PLAIN).out())
        .contains("default=" + DEFAULT);
    String use = "-XX:SharedArchiveFile=" + archive;
    Outcome plain = program(jdk, use, "-Xlog:class+load").run(main(), PLAIN);
    assertThat(plain.value("default")).isEqualTo(DEFAULT);
    assertThat(plain.out())
        .containsPattern("io.netty.buffer.ByteBufUtil source: shared objects file");
    assertThat(program(jdk, use).run(main()).isQuiet().value("installed")).isEqualTo("true");
    Outcome withAgent = withAgent(jdk, use).run(main(), PLAIN).isQuiet();
    assertThat(withAgent.value("default")).isEqualTo(OURS);
  }

  @Test
  void aCacheThatWasRecordedWithTheCallServesTheCall() {
    Path cache = cache("install");
    program(Jdk.JDK_25, "-XX:AOTCacheOutput=" + cache).run(main());
    Outcome outcome = program(Jdk.JDK_25, "-XX:AOTCache=" + cache).run(main()).isQuiet();
    assertThat(outcome.value("installed")).isEqualTo("true");
    assertThat(outcome.value("default")).isEqualTo(OURS);
    assertThat(outcome.out()).doesNotContain("[aot");
  }

  /** Netty's class is loaded before main, so no call can be early enough. */
  @Test
  void aCacheThatWasRecordedWithoutTheCallMakesItTooLate() {
    Path cache = cache("plain");
    program(Jdk.JDK_25, "-XX:AOTCacheOutput=" + cache).run(main(), PLAIN);
    Outcome outcome =
        program(Jdk.JDK_25, "-XX:AOTCache=" + cache, Program.CHOSEN)
            .run(main())
            .warnsOnce("-XX:AOTCache=" + cache, "record it in a run in which this call takes");
    assertThat(outcome.value("installed")).isEqualTo("false");
    assertThat(outcome.value("default")).isEqualTo(DEFAULT);
  }

  @Test
  void aCacheThatWasRecordedWithTheAgentServesTheAgent() {
    Path cache = cache("agent");
    withAgent(Jdk.JDK_25, "-XX:AOTCacheOutput=" + cache).run(main(), PLAIN);
    Outcome outcome =
        withAgent(Jdk.JDK_25, "-XX:AOTCache=" + cache, "-Xlog:class+load").run(main(), PLAIN);
    assertThat(outcome.value("default")).isEqualTo(OURS);
    assertThat(outcome.out())
        .containsPattern("io.netty.buffer.ByteBufAllocator source: shared objects file");
  }

  private static Path cache(String name) {
    return JarFiles.workFolder().resolve("classes-" + name + ".aot");
  }

  private static Class<?> main() {
    return InstallAndShow.class;
  }

  private static Program withAgent(Jdk jdk, String... options) {
    return program(jdk, options).agent(agent()).options(Program.CHOSEN);
  }

  private static Program program(Jdk jdk, String... options) {
    return Program.on(jdk).options(options).classPath(with(netty(), core(), library(), programs));
  }
}
