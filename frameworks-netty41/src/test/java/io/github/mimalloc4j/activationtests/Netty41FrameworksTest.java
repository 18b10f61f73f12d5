package io.github.mimalloc4j.activationtests;

import static io.github.mimalloc4j.activationtests.JarFiles.core;
import static io.github.mimalloc4j.activationtests.JarFiles.frameworks;
import static io.github.mimalloc4j.activationtests.JarFiles.library;
import static io.github.mimalloc4j.activationtests.JarFiles.programs;
import static io.github.mimalloc4j.activationtests.JarFiles.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.mimalloc4j.activationtests.Program.Outcome;
import io.github.mimalloc4j.activationtests.programs.AwsHttpProgram;
import io.github.mimalloc4j.activationtests.programs.BookKeeperProgram;
import io.github.mimalloc4j.activationtests.programs.CassandraProgram;
import io.github.mimalloc4j.activationtests.programs.LettuceProgram;
import io.github.mimalloc4j.activationtests.programs.ReactorNettyProgram;
import io.github.mimalloc4j.activationtests.programs.VertxProgram;
import io.github.mimalloc4j.activationtests.programs.WebFluxProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs as they are, on Netty 4.1 and on the allocator: see {@link Outcome#carriesTraffic}. */
class Netty41FrameworksTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        AwsHttpProgram.class,
        CassandraProgram.class,
        LettuceProgram.class,
        ReactorNettyProgram.class,
        WebFluxProgram.class
      })
  void trafficUsesTheAllocator(Class<?> program) {
    agent(Jdk.DEFAULT).run(program).carriesTraffic();
  }

  @Test
  void trafficUsesTheAllocatorOnJdk25() {
    agent(Jdk.JDK_25).run(AwsHttpProgram.class).carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void vertx4(Jdk jdk) {
    agent(jdk).run(VertxProgram.class).carriesTraffic();
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void vertx4AfterInstall(Jdk jdk) {
    installing(jdk, frameworks()).carriesTraffic();
  }

  @Test
  void vertx4ByAgentAndInstall() {
    Program.on(Jdk.DEFAULT)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .classPath(with(frameworks(), core(), library(), programs()))
        .run(VertxProgram.class, VertxProgram.INSTALL)
        .carriesTraffic();
  }

  @Test
  void vertx4WithoutThePropertyIsLeftAlone() {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(JarFiles.agent())
            .classPath(with(frameworks(), programs()))
            .run(VertxProgram.class);
    assertThat(outcome.value("echoed")).isEqualTo("true");
    assertThat(outcome.value("default")).isEqualTo("PooledByteBufAllocator");
  }

  /** A newer Vert.x might ask otherwise which allocator a buffer has, and so release nothing. */
  @Test
  void withAnUnknownVertxNettyKeepsItsDefault() {
    List<Path> unknown = ChangedJars.vertxThatIsUnknown(frameworks());
    Outcome byAgent =
        Program.on(Jdk.DEFAULT)
            .agent(JarFiles.agent())
            .options(Program.CHOSEN)
            .classPath(with(unknown, programs()))
            .run(VertxProgram.class);
    for (Outcome outcome : List.of(byAgent, installing(Jdk.DEFAULT, unknown))) {
      assertThat(outcome.value("default")).isEqualTo("PooledByteBufAllocator");
      assertThat(outcome.value("echoed")).isEqualTo("true");
      assertThat(outcome.err() + outcome.out()).contains("VertxHandler is not as expected");
    }
  }

  @Test
  void bookKeeperAllocatesFromWhatItIsGiven() {
    Outcome outcome = bookKeeper(BookKeeperProgram.GIVEN);
    assertThat(outcome.value("buffer")).isEqualTo("MiMallocByteBufAllocator");
    assertThat(outcome.number("held bytes")).isGreaterThanOrEqualTo(1 << 20);
  }

  /** It makes an allocator on top of Netty's pooled one, whatever Netty's default is. */
  @Test
  void bookKeeperDoesNotAskForNettysDefault() {
    Outcome outcome = bookKeeper();
    assertThat(outcome.value("buffer")).isEqualTo("PooledByteBufAllocator");
    assertThat(outcome.number("held bytes")).isZero();
  }

  private static Outcome bookKeeper(String... arguments) {
    Outcome outcome =
        Program.on(Jdk.DEFAULT)
            .agent(JarFiles.agent())
            .options(Program.CHOSEN)
            .classPath(with(frameworks(), core(), library(), programs()))
            .run(BookKeeperProgram.class, arguments)
            .arrived();
    assertThat(outcome.value("server child")).isEqualTo("ByteBufAllocatorImpl");
    return outcome;
  }

  @ParameterizedTest
  @EnumSource(Jdk.class)
  void springBootByJarAndPropertyAlone(Jdk jdk) throws IOException {
    Program.on(jdk)
        .options(Program.CHOSEN)
        .jar(
            ExecutableJars.springBoot(
                "webflux", WebFluxProgram.class, with(frameworks(), core(), library())))
        .run()
        .carriesTraffic();
  }

  private static Outcome installing(Jdk jdk, List<Path> frameworks) {
    return Program.on(jdk)
        .classPath(with(frameworks, core(), library(), programs()))
        .run(VertxProgram.class, VertxProgram.INSTALL);
  }

  private static Program agent(Jdk jdk) {
    return Program.on(jdk)
        .agent(JarFiles.agent())
        .options(Program.CHOSEN)
        .classPath(with(frameworks(), programs()));
  }
}
